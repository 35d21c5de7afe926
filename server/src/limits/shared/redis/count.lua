-- Counts the requests in the window KEYS[1] that have not left it. ARGV: length of the window in µs.
local time = redis.call('TIME')
local since = time[1] * 1000000 + time[2] - tonumber(ARGV[1])
local count = 0
for _, at in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if tonumber(at) > since then count = count + 1 end
end
return count
