-- Claim a shard for a job that is to be made.
-- KEYS 1 claim, 2 work, 3 paused; ARGV 1 owner, 2 duration in milliseconds. Returns 1 when claimed.
if redis.call('EXISTS', KEYS[2], KEYS[3]) > 0 then return 0 end
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
