-- For wrk: creates items, or venues of seven rows each, and logs the name of each acknowledged one.
-- Arguments: folder of the logs, maximum number of requests of each thread, 'items' or 'venues'
local count = 0

function setup(thread)
  count = count + 1
  thread:set("number", count)
end

local bodies = {
  items = '{"name": "item %d.%d", "priority": 3}',
  venues = '{"name": "venue %d.%d", "location": {"city": "Uji"}, "price": {"tier": 1}, "categories": ["a", "b", "c"]}',
}

function init(args)
  most, sent, what = tonumber(args[2]), 0, args[3]
  list = io.open(args[1] .. "/" .. what .. "." .. number, "w")
  list:setvbuf("line")
end

function request()
  sent = sent + 1
  if sent > most then wrk.thread:stop() end
  local body = bodies[what]:format(number, sent)
  return wrk.format("POST", "/" .. what, {["Content-Type"] = "application/json"}, body)
end

function response(status, headers, body)
  if status == 201 then list:write(body:match('"name":"(%l+ [%d.]+)"'), "\n") end
end
