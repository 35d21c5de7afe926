-- Counts the requests in the window KEYS[1] that have not left it. ARGV: length of the window in µs, limit.
-- Answers {how many, µs until one more is admitted}.
local limit, time = tonumber(ARGV[2]), redis.call('TIME')
local since = time[1] * 1000000 + time[2] - tonumber(ARGV[1])
local counted = {}
for _, at in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  if tonumber(at) > since then table.insert(counted, tonumber(at)) end
end
-- As in admit.lua, room is made when the last `limit - 1` are left.
local blocking = counted[#counted - limit + 1]
return {#counted, blocking and blocking - since or 0}
