-- wrk: adds items, and writes down the name of each that the server has acknowledged.
-- arguments: folder for the lists, requests of each thread at most
local count = 0

function setup(thread)
  count = count + 1
  thread:set("number", count)
end

function init(args)
  list = io.open(args[1] .. "/items." .. number, "w")
  list:setvbuf("line")
  most, sent = tonumber(args[2]), 0
end

function request()
  sent = sent + 1
  if sent > most then wrk.thread:stop() end
  local body = string.format('{"name": "item %d.%d", "priority": %d}', number, sent, sent % 6)
  return wrk.format("POST", "/items", {["Content-Type"] = "application/json"}, body)
end

function response(status, headers, body)
  if status == 201 then list:write(body:match('"name":"(item [%d.]+)"'), "\n") end
end
