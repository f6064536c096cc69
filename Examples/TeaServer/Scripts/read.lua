-- For wrk: reads pages of venues, and logs each page that contains a venue without one of its rows.
-- Arguments: folder of the logs, maximum number of requests of each thread
local count = 0

function setup(thread)
  count = count + 1
  thread:set("number", count)
end

function init(args)
  halves = io.open(args[1] .. "/halves." .. number, "w")
  halves:setvbuf("line")
  pages = io.open(args[1] .. "/pages." .. number, "w")
  pages:setvbuf("line")
  most, sent = tonumber(args[2]), 0
end

function request()
  sent = sent + 1
  if sent > most then wrk.thread:stop() end
  -- Names are sorted by their numbers, so the first and last pages change while venues are added.
  return wrk.format("GET", "/venues?limit=20&offset=" .. (sent % 50) * 20)
end

local function occurrences(body, text)
  return select(2, body:gsub(text, ""))
end

function response(status, headers, body)
  if status ~= 200 then return end
  local venues = occurrences(body, '"name":"venue ')
  pages:write(venues, "\n")
  for _, part in ipairs({'"location":{', '"price":{', '"stats":{', '"categories":%["a","b","c"%]'}) do
    if occurrences(body, part) ~= venues then halves:write(body, "\n") return end
  end
end
