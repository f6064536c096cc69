-- wrk: adds venues of seven rows each, and writes down the name of each that the server has acknowledged.
-- arguments: folder for the lists, requests of each thread at most
local count = 0

function setup(thread)
  count = count + 1
  thread:set("number", count)
end

function init(args)
  list = io.open(args[1] .. "/venues." .. number, "w")
  list:setvbuf("line")
  most, sent = tonumber(args[2]), 0
end

local rest = '"location": {"city": "Uji"}, "price": {"tier": 1}, "categories": ["a", "b", "c"]}'

function request()
  sent = sent + 1
  if sent > most then wrk.thread:stop() end
  local body = string.format('{"name": "venue %d.%d", ', number, sent) .. rest
  return wrk.format("POST", "/venues", {["Content-Type"] = "application/json"}, body)
end

function response(status, headers, body)
  if status == 201 then list:write(body:match('"name":"(venue [%d.]+)"'), "\n") end
end
