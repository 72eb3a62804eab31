-- Read everything that is kept of a game. KEYS 1 log, 2 meta, 3 commands, 4 seats
-- Returns {secret, log entries, commands, seats}
return {
    redis.call('HGET', KEYS[2], 'secret'),
    redis.call('XRANGE', KEYS[1], '-', '+'),
    redis.call('HGETALL', KEYS[3]),
    redis.call('HGETALL', KEYS[4]),
}
