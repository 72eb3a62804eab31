-- Begin or go on to work at a shard, which fulfils a claim; or end it.
-- KEYS 1 work, 2 claim; ARGV 1 owner, 2 duration in milliseconds, 0 for the end
-- Returns 1 unless somebody else is at work
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
if ARGV[2] == '0' then
    redis.call('DEL', KEYS[1])
else
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
    redis.call('DEL', KEYS[2])
end
return 1
