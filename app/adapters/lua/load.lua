-- Read a game, its events after a version, and what is known of a command, a token, an answer.
--
-- KEYS 1 log, 2 meta, 3 commands, 4 seats, 5 paused, 6 answer
-- ARGV 1 after, 2 limit (0 for none), 3 command, 4 token hash (empty strings ask for nothing)
-- Returns {now, paused, meta, log entries, the entry before them, record, role, answer box}

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local meta = redis.call('HMGET', KEYS[2], 'version', 'head', 'status', 'deadline', 'visibility',
    'created', 'updated', 'secret')
local after, limit = tonumber(ARGV[1]), tonumber(ARGV[2])

local entries, before = {}, {}
if after < tonumber(meta[1] or 0) then
    local from = string.format('%d-0', after + 1)
    if limit > 0 then
        entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', limit)
    else
        entries = redis.call('XRANGE', KEYS[1], from, '+')
    end
    if #entries > 0 and after > 0 then
        before = redis.call('XREVRANGE', KEYS[1], entries[1][1], '-', 'COUNT', 2)
        table.remove(before, 1)
    end
end

local record = ARGV[3] ~= '' and redis.call('HGET', KEYS[3], ARGV[3]) or ''
local role = ARGV[4] ~= '' and redis.call('HGET', KEYS[4], ARGV[4]) or ''
local box = redis.call('HGET', KEYS[6], 'box') or ''
return {now, redis.call('EXISTS', KEYS[5]), meta, entries, before, record, role, box}
