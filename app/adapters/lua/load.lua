-- Read a game, its events after a version, and what is known of a command, a token, an answer.
--
-- KEYS 1 log, 2 meta, 3 commands, 4 seats, 5 paused, 6 answer, 7 the game compacted
-- ARGV 1 after, 2 limit (0 for none), 3 command, 4 token hash, 5 what the command may have been
--      called by an earlier release (empty strings ask for nothing)
-- Returns {now, paused, meta, version before the blocks, block before them, blocks, record, role,
--      answer box, the game compacted}

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local meta = redis.call('HMGET', KEYS[2], 'version', 'head', 'status', 'deadline', 'visibility',
    'created', 'updated', 'secret')
local after, limit, version = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(meta[1] or 0)
local base, before, blocks = 0, '', {}

-- A log of the first release: an entry's id is the version of its last event.
local function read_stream()
    local from = string.format('%d-0', after + 1)
    local entries
    if limit > 0 then
        entries = redis.call('XRANGE', KEYS[1], from, '+', 'COUNT', limit)
    else
        entries = redis.call('XRANGE', KEYS[1], from, '+')
    end
    for place, entry in ipairs(entries) do blocks[place] = entry[2][2] end
    if #entries > 0 and after > 0 then
        local earlier = redis.call('XREVRANGE', KEYS[1], entries[1][1], '-', 'COUNT', 2)[2]
        if earlier then
            base, before = tonumber(string.match(earlier[1], '^%d+')), earlier[2][2]
        end
    end
end

-- Back from the newest block to the one that holds the version asked for; the second and third
-- byte of a block are the number of its events.
local function read_list()
    if after == 0 then
        blocks = redis.call('LRANGE', KEYS[1], 0, -1)
        return
    end
    local count = 0
    base = version
    while true do
        local block = redis.call('LINDEX', KEYS[1], -1 - count)
        if not block then break end
        if base <= after then
            before = block
            break
        end
        count = count + 1
        base = base - 256 * string.byte(block, 2) - string.byte(block, 3)
    end
    if count > 0 then blocks = redis.call('LRANGE', KEYS[1], -count, -1) end
end

if after < version then
    if redis.call('TYPE', KEYS[1]).ok == 'stream' then read_stream() else read_list() end
end

local record = ARGV[3] ~= '' and redis.call('HGET', KEYS[3], ARGV[3]) or ''
if record == '' and ARGV[5] ~= '' then record = redis.call('HGET', KEYS[3], ARGV[5]) or '' end
local role = ARGV[4] ~= '' and redis.call('HGET', KEYS[4], ARGV[4]) or ''
local box = redis.call('HGET', KEYS[6], 'box') or ''
local whole = not meta[1] and redis.call('GET', KEYS[7]) or ''
return {now, redis.call('EXISTS', KEYS[5]), meta, base, before, blocks, record, role, box, whole}
