-- Reports a replica, and tells which memory this is and whether it may decide.
-- KEYS[1] holds the epoch, KEYS[2] the replicas. ARGV: the replica, the last epoch that it knew or
-- nothing, the length of a window in µs, how long the word of a first replica is doubted, in µs.
-- Answers {epoch, 1 if it may decide, how many replicas there are, for how many µs yet not alone}.
local span = tonumber(ARGV[3])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]

-- An epoch is RUN:BORN:YOUNG. Another run than this server's is a memory from before a restart or a
-- failover, and one from the future was begun before the clock was stepped back: both are over.
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
local epoch = redis.call('GET', KEYS[1])
local begun, born, young = string.match(epoch or '', '^(%w+):(%d+):([01])$')
born = tonumber(born)
local over = begun ~= run or born > now
-- The first replica on an empty server may rely on it at once, if not alone at first. One that knew another epoch, or finds
-- its remains, may not: what was admitted in that one still counts.
local lost = ARGV[2] ~= '' and ARGV[2] ~= epoch
if over then
  young = (epoch or lost) and '1' or '0'
  born = now
elseif young == '0' and lost and now < born + span then
  young = '1'
  over = true
end
if over then
  epoch = string.format('%s:%.0f:%s', run, born, young)
  redis.call('SET', KEYS[1], epoch)
end

-- A replica that was cut off may go on for long, and keep the share that it knew.
local memory = 10 * span
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', string.format('%.0f', now - memory))
redis.call('ZREMRANGEBYSCORE', KEYS[2], string.format('(%.0f', now), '+inf')
redis.call('ZADD', KEYS[2], string.format('%.0f', now), ARGV[1])
redis.call('PEXPIRE', KEYS[2], math.ceil(memory / 1000))
local trusted = (young == '0' or now >= born + span) and 1 or 0
local doubted = young == '0' and math.max(0, born + tonumber(ARGV[4]) - now) or 0
return {epoch, trusted, redis.call('ZCARD', KEYS[2]), doubted}
