-- Make the due index and the set of open games agree with a game's own meta.
-- KEYS 1 meta, 2 due, 3 open; ARGV 1 game id. Returns 1 when they did not.
local meta = redis.call('HMGET', KEYS[1], 'deadline', 'status')
local indexed = redis.call('ZSCORE', KEYS[2], ARGV[1])
local wrong = 0
if not meta[1] or meta[1] == '' then
    wrong = redis.call('ZREM', KEYS[2], ARGV[1])
elseif tonumber(indexed or -1) ~= tonumber(meta[1]) then
    redis.call('ZADD', KEYS[2], meta[1], ARGV[1])
    wrong = 1
end
if not meta[2] or meta[2] == 'finished' or meta[2] == 'cancelled' then
    wrong = math.max(wrong, redis.call('SREM', KEYS[3], ARGV[1]))
end
return wrong
