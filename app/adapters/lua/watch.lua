-- Write a shard's watermark; a silence that was too long is remembered as a gap.
--
-- KEYS 1 watermark, 2 gap, 3 due
-- ARGV 1 length of an outage, milliseconds

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen = tonumber(redis.call('GET', KEYS[1]) or 0)
if now - seen > tonumber(ARGV[1]) then
    local from = seen
    local begin, ending = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+):(%d+)$')
    local oldest = tonumber(redis.call('ZRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2] or '')
    -- Games of an earlier gap that still wait keep its beginning.
    if begin and oldest and oldest <= tonumber(ending) then
        from = math.min(from, tonumber(begin))
    end
    redis.call('SET', KEYS[2], string.format('%.0f:%.0f', from, now))
end
redis.call('SET', KEYS[1], string.format('%.0f', now))
return 1
