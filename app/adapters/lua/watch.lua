-- Write a shard's watermark; a silence that was too long is remembered as a gap.
--
-- KEYS 1 watermark, 2 gap, 3 due
-- ARGV 1 length of an outage, milliseconds

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = tonumber(redis.call('GET', KEYS[1]) or 0)
if now - seen > tonumber(ARGV[1]) then
    local from = seen
    local gap = redis.call('GET', KEYS[2])
    local oldest = redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    -- Games of an earlier gap that still wait keep its beginning.
    if gap and oldest and tonumber(oldest) <= seen then
        from = math.min(from, tonumber(string.match(gap, '^%d+')))
    end
    redis.call('SET', KEYS[2], string.format('%.0f:%.0f', from, now))
end
redis.call('SET', KEYS[1], string.format('%.0f', now))
return 1
