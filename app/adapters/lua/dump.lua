-- Read everything that is kept of a game. KEYS 1 log, 2 meta, 3 commands, 4 seats,
-- 5 the game compacted. Returns {secret, blocks, commands, seats, the game compacted}
local blocks
if redis.call('TYPE', KEYS[1]).ok == 'stream' then
    blocks = {}
    for place, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', '+')) do
        blocks[place] = entry[2][2]
    end
else
    blocks = redis.call('LRANGE', KEYS[1], 0, -1)
end
return {
    redis.call('HGET', KEYS[2], 'secret'),
    blocks,
    redis.call('HGETALL', KEYS[3]),
    redis.call('HGETALL', KEYS[4]),
    redis.call('GET', KEYS[5]) or '',
}
