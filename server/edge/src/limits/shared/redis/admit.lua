-- Admits a request into the window KEYS[1] and counts it, or refuses it and writes nothing.
-- KEYS[2] holds the epoch. ARGV: limit, length of the window in µs, the epoch that the caller knows.
-- Answers {1 admitted, 0 refused or -1 another epoch, remaining, µs until the oldest request leaves
-- the window, µs until a retry is admitted}.
if redis.call('GET', KEYS[2]) ~= ARGV[3] then
  return {-1, 0, 0, 0}
end
local limit, span = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

-- The window is a list of the times of its admissions in µs, ascending.
local function at(index)
  return tonumber(redis.call('LINDEX', KEYS[1], index))
end
local length = redis.call('LLEN', KEYS[1])
-- The wall clock may be stepped back. Time then stands still for up to a second; beyond that the
-- window is given up, lest it refuse for as long as the step.
local now = clock
if length > 0 and at(-1) > clock then
  if at(-1) > clock + 1000000 then
    redis.call('DEL', KEYS[1])
    length = 0
  else
    now = at(-1)
  end
end

-- How many have left the window: mostly none, else found by halving.
local gone = 0
if length > 0 and at(0) <= now - span then
  local upper = length
  gone = 1
  while gone < upper do
    local middle = math.floor((gone + upper) / 2)
    if at(middle) <= now - span then gone = middle + 1 else upper = middle end
  end
end
local counted = length - gone
local function leaves_in(number)
  return at(gone + number) + span - clock
end

if counted >= limit then
  -- Room is made when the last `limit - 1` are left, which is later than the first to leave where
  -- the limit was lowered.
  return {0, 0, leaves_in(0), leaves_in(counted - limit)}
end
local reset = counted > 0 and leaves_in(0) or span
if gone > 0 then
  redis.call('LTRIM', KEYS[1], gone, -1)
end
redis.call('RPUSH', KEYS[1], string.format('%.0f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil(span / 1000) + 2000)
return {1, limit - counted - 1, reset, 0}
