-- Write a whole game as it once was; nothing when there is one of this id. With a value, lay out
-- the game that is compacted to just this value, and drop the value.
--
-- KEYS 1 log, 2 meta, 3 commands, 4 seats, 5 due, 6 open, 7 the game compacted, 8 games that are
--      over, then the listing indexes to enter
-- ARGV see `fields` below, then blobs, then pairs (command, record), (token hash, role)
-- Returns 1 when it was written

local fields = {
    'id', 'shard', 'mover', 'value', 'blobs', 'commands', 'seats',
    'version', 'head', 'status', 'deadline', 'visibility', 'created', 'updated', 'secret',
}
local arg = {}
for place, name in ipairs(fields) do arg[name] = ARGV[place] end
if redis.call('EXISTS', KEYS[1], KEYS[2]) > 0 then return 0 end
if (redis.call('GET', KEYS[7]) or '') ~= arg.value then return 0 end

local place = #fields
local function pairs_of(count, write)
    for _ = 1, tonumber(count) do
        write(ARGV[place + 1], ARGV[place + 2])
        place = place + 2
    end
end
for _ = 1, tonumber(arg.blobs) do
    place = place + 1
    redis.call('RPUSH', KEYS[1], ARGV[place])
end
pairs_of(arg.commands, function(id, record) redis.call('HSET', KEYS[3], id, record) end)
pairs_of(arg.seats, function(hash, role) redis.call('HSET', KEYS[4], hash, role) end)

for at = 8, 15 do redis.call('HSET', KEYS[2], fields[at], ARGV[at]) end
redis.call('HSET', KEYS[2], 'mover', arg.mover)
if arg.mover ~= '' then
    redis.call('ZADD', arg.shard .. 'turn:' .. arg.mover, arg.created, arg.id)
end
if arg.deadline ~= '' then redis.call('ZADD', KEYS[5], arg.deadline, arg.id) end
if arg.status == 'finished' or arg.status == 'cancelled' then
    redis.call('ZADD', KEYS[8], redis.call('TIME')[1] .. '000', arg.id)
else
    redis.call('SADD', KEYS[6], arg.id)
end
redis.call('DEL', KEYS[7])
for key = 9, #KEYS do redis.call('ZADD', KEYS[key], arg.created, arg.id) end
return 1
