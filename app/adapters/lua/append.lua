-- Append events and everything that follows from them, or nothing at all.
-- A script that fails half-way is not rolled back: every check comes before the first write.
--
-- KEYS 1 log, 2 meta, 3 commands, 4 seats, 5 due, 6 open, 7 paused, 8 answer,
--      then the listing indexes to enter and those to leave
-- ARGV see `fields` below, then pairs (token hash, role), then seats whose tokens die
-- Returns {verdict, version, now, record, answer fingerprint, answer box}; the verdict
--      'compacted' asks for the game to be laid out first, and for this call again

local fields = {
    'id', 'expected', 'last', 'command', 'fingerprint', 'mode', 'grace', 'blob',
    'head', 'status', 'deadline', 'visibility', 'created', 'updated', 'secret',
    'to_move', 'shard', 'channel', 'listed', 'unlisted',
    'answer_fingerprint', 'box', 'answer_ttl', 'added', 'revoked',
    'formerly', 'previous', 'token', 'role',
}
local arg = {}
for place, name in ipairs(fields) do arg[name] = ARGV[place] end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = redis.call('HMGET', KEYS[2], 'version', 'deadline', 'mover', 'head')
local version = tonumber(known[1] or 0)

if arg.box ~= '' then
    local kept = redis.call('HMGET', KEYS[8], 'fingerprint', 'box')
    if kept[1] then return {'duplicate', version, now, '', kept[1], kept[2]} end
end
if version == 0 and redis.call('EXISTS', arg.shard .. 'g:' .. arg.id .. ':whole') == 1 then
    return {'compacted', 0, now, '', '', ''}
end
local record = redis.call('HGET', KEYS[3], arg.command)
if not record and arg.formerly ~= '' then record = redis.call('HGET', KEYS[3], arg.formerly) end
if record then return {'duplicate', version, now, record, '', ''} end

if arg.mode ~= 'system' and redis.call('EXISTS', KEYS[7]) == 1 then
    return {'paused', version, now, '', '', ''}
end
if version ~= tonumber(arg.expected) or (version > 0 and known[4] ~= arg.previous)
    or (arg.token ~= '' and redis.call('HGET', KEYS[4], arg.token) ~= arg.role) then
    return {'conflict', version, now, '', '', ''}
end

local deadline = tonumber(known[2] or '')
local overdue = deadline ~= nil and now > deadline + tonumber(arg.grace)
if arg.mode == 'command' and overdue then return {'late', version, now, '', '', ''} end
if arg.mode == 'timeout' and not overdue then return {'early', version, now, '', '', ''} end

-- From here on everything is written.

-- Logs are lists; those the first release began are streams, and go on as such.
if redis.call('TYPE', KEYS[1]).ok == 'stream' then
    redis.call('XADD', KEYS[1], arg.last .. '-0', 'b', arg.blob)
else
    redis.call('RPUSH', KEYS[1], arg.blob)
end
redis.call('HSET', KEYS[3], arg.command,
    arg.fingerprint .. ':' .. (version + 1) .. ':' .. arg.last)

local place = #fields
for _ = 1, tonumber(arg.added) do
    redis.call('HSET', KEYS[4], ARGV[place + 1], ARGV[place + 2])
    place = place + 2
end
for _ = 1, tonumber(arg.revoked) do
    place = place + 1
    local seats = redis.call('HGETALL', KEYS[4])
    for i = 1, #seats, 2 do
        if string.match(seats[i + 1], ':(%d+)$') == ARGV[place] then
            redis.call('HDEL', KEYS[4], seats[i])
        end
    end
end

local mover = ''
if arg.to_move ~= '0' then
    local seats = redis.call('HGETALL', KEYS[4])
    for i = 1, #seats, 2 do
        local role = seats[i + 1]
        if role == 'seat:' .. arg.to_move or role == 'creator:' .. arg.to_move then
            mover = seats[i]
        end
    end
end
local before = known[3] or ''
if mover ~= before then
    if before ~= '' then redis.call('ZREM', arg.shard .. 'turn:' .. before, arg.id) end
    if mover ~= '' then redis.call('ZADD', arg.shard .. 'turn:' .. mover, arg.created, arg.id) end
end

redis.call('HSET', KEYS[2], 'version', arg.last, 'head', arg.head, 'status', arg.status,
    'deadline', arg.deadline, 'visibility', arg.visibility, 'created', arg.created,
    'updated', arg.updated, 'secret', arg.secret, 'mover', mover)
if arg.deadline == '' then
    redis.call('ZREM', KEYS[5], arg.id)
else
    redis.call('ZADD', KEYS[5], arg.deadline, arg.id)
end
if arg.status == 'finished' or arg.status == 'cancelled' then
    redis.call('SREM', KEYS[6], arg.id)
    redis.call('ZADD', arg.shard .. 'over', string.format('%.0f', now), arg.id)
else
    redis.call('SADD', KEYS[6], arg.id)
end

local key = 8
for _ = 1, tonumber(arg.listed) do
    key = key + 1
    redis.call('ZADD', KEYS[key], arg.created, arg.id)
end
for _ = 1, tonumber(arg.unlisted) do
    key = key + 1
    redis.call('ZREM', KEYS[key], arg.id)
end

if arg.box ~= '' then
    redis.call('HSET', KEYS[8], 'fingerprint', arg.answer_fingerprint, 'box', arg.box)
    redis.call('PEXPIRE', KEYS[8], arg.answer_ttl)
end
redis.call('PUBLISH', arg.channel, arg.last)
return {'appended', tonumber(arg.last), now, '', '', ''}
