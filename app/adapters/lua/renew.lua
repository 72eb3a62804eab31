-- Replace a seat's token; the old one stays known as retired, to repeat this very request.
--
-- KEYS 1 seats, 2 answer, 3 meta, 4 the game compacted
-- ARGV 1 old hash, 2 new hash, 3 answer fingerprint, 4 answer box (empty for none), 5 its ttl,
--      6 shard prefix, 7 game id
-- Returns {'done'}, {'unknown'}, {'duplicate', fingerprint, box}, or {'compacted'}: the game must
--      be laid out first

if ARGV[4] ~= '' then
    local kept = redis.call('HMGET', KEYS[2], 'fingerprint', 'box')
    if kept[1] then return {'duplicate', kept[1], kept[2]} end
end
if redis.call('EXISTS', KEYS[4]) == 1 then return {'compacted'} end
-- A new hash that is known is this very call, sent again because its answer was lost.
if redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then return {'done'} end
local role = redis.call('HGET', KEYS[1], ARGV[1])
if not role then return {'unknown'} end
local kind, seat = string.match(role, '^(%a+):(%d+)$')
if kind ~= 'seat' and kind ~= 'creator' then return {'unknown'} end

redis.call('HSET', KEYS[1], ARGV[1], 'retired:' .. seat, ARGV[2], role)
local meta = redis.call('HMGET', KEYS[3], 'mover', 'created')
if meta[1] == ARGV[1] then
    redis.call('ZREM', ARGV[6] .. 'turn:' .. ARGV[1], ARGV[7])
    redis.call('ZADD', ARGV[6] .. 'turn:' .. ARGV[2], meta[2], ARGV[7])
    redis.call('HSET', KEYS[3], 'mover', ARGV[2])
end
if ARGV[4] ~= '' then
    redis.call('HSET', KEYS[2], 'fingerprint', ARGV[3], 'box', ARGV[4])
    redis.call('PEXPIRE', KEYS[2], ARGV[5])
end
return {'done'}
