-- Put one value in the place of a game that is over; nothing unless it is just as it was read.
--
-- KEYS 1 log, 2 meta, 3 commands, 4 seats, 5 the game compacted, 6 games that are over
-- ARGV 1 id, 2 version, 3 head, 4 status, 5 value, then pairs (token hash, role)
-- Returns 1 when it was done

local meta = redis.call('HMGET', KEYS[2], 'version', 'head', 'status')
for place = 1, 3 do
    if meta[place] ~= ARGV[place + 1] then return 0 end
end
-- Tokens change without a new version.
if redis.call('HLEN', KEYS[4]) ~= (#ARGV - 5) / 2 then return 0 end
for place = 6, #ARGV, 2 do
    if redis.call('HGET', KEYS[4], ARGV[place]) ~= ARGV[place + 1] then return 0 end
end

redis.call('SET', KEYS[5], ARGV[5])
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('ZREM', KEYS[6], ARGV[1])
return 1
