-- Walk the smallest of some listing indexes and keep the games that stand in all of them.
--
-- KEYS the indexes
-- ARGV 1 'asc' or 'desc', 2 most games to return, 3 and 4 score and id to go on after (empty for
--      the beginning), 5 most games to look at
-- Returns {1 when the walk reached the end, last score, last id, score, id, score, id, ...}

local ascending, limit, budget = ARGV[1] == 'asc', tonumber(ARGV[2]), tonumber(ARGV[5])
local score, id = ARGV[3], ARGV[4]
local smallest, size = KEYS[1], redis.call('ZCARD', KEYS[1])
for place = 2, #KEYS do
    local count = redis.call('ZCARD', KEYS[place])
    if count < size then smallest, size = KEYS[place], count end
end

local function beyond(other_score, other_id)
    if id == '' or tonumber(other_score) ~= tonumber(score) then return true end
    if ascending then return other_id > id end
    return other_id < id
end

local function everywhere(member)
    for _, key in ipairs(KEYS) do
        if key ~= smallest and not redis.call('ZSCORE', key, member) then return false end
    end
    return true
end

-- Most walks end within a few games, so the first look is a short one.
local found, skipped, length = {}, 0, limit + 1
while true do
    local chunk
    if ascending then
        chunk = redis.call('ZRANGEBYSCORE', smallest, score == '' and '-inf' or score, '+inf',
            'WITHSCORES', 'LIMIT', skipped, length)
    else
        chunk = redis.call('ZREVRANGEBYSCORE', smallest, score == '' and '+inf' or score, '-inf',
            'WITHSCORES', 'LIMIT', skipped, length)
    end
    if #chunk == 0 then return {1, score, id, unpack(found)} end
    local from = score
    for place = 1, #chunk, 2 do
        local member, rank = chunk[place], chunk[place + 1]
        if beyond(rank, member) then
            score, id, budget = rank, member, budget - 1
            if everywhere(member) then
                found[#found + 1] = rank
                found[#found + 1] = member
            end
            if #found >= 2 * limit or budget <= 0 then return {0, score, id, unpack(found)} end
        end
    end
    -- More games of one moment than a chunk holds: step over those already seen.
    skipped = score == from and skipped + #chunk / 2 or 0
    length = math.min(2 * length, 100)
end
