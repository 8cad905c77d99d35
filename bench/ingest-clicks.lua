-- Script for wrk. Sends clicks, each with a UUID v7 of its own. BENCH_DELAY_MS: pause between two clicks of a connection;
-- BENCH_ADDRESSES: number of senders; BENCH_ADDRESS: their only address. BENCH_GET requests that path instead. BENCH_CLOSE: a new connection for each click.
-- BENCH_STATUSES: counts the answers by status. BENCH_UNTIL: seconds since 1970 from which no click is sent, so that the last ones get their answers.
local delay_ms = tonumber(os.getenv('BENCH_DELAY_MS') or '0')
local addresses = tonumber(os.getenv('BENCH_ADDRESSES') or '0')
local first = tonumber(os.getenv('BENCH_FIRST') or '0')
local body = '{"event":"hero_cta_click","referrer":"clinic-7","ip":"203.0.113.7","timestamp":"2026-11-20T18:00:00.000Z",'
  .. '"page_url":"https://site.example/?ref=clinic-7","user_agent":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) '
  .. 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36","is_mobile":false,"id":"%s"}'
local n = first

-- From the time and a counter: unique within a run, and increasing like real ids.
local function new_id()
  n = n + 1
  local ms = os.time() * 1000 + n % 1000
  return string.format('%08x-%04x-7%03x-8%03x-%012x', math.floor(ms / 65536) % 4294967296, ms % 65536,
    math.random(0, 4095), math.random(0, 4095), n)
end

local thread = nil
function setup(only_thread) thread = only_thread end

if os.getenv('BENCH_STATUSES') then
  logged, limited, refused, others = 0, 0, 0, 0
  function response(status)
    if status == 200 then logged = logged + 1
    elseif status == 429 then limited = limited + 1
    elseif status == 503 then refused = refused + 1
    else others = others + 1 end
  end
end

-- Returns the number of answers with 200, 429, 503 and other statuses.
local function count_statuses()
  local counts = {}
  for i, name in ipairs({ 'logged', 'limited', 'refused', 'others' }) do counts[i] = thread:get(name) or 0 end
  return table.concat(counts, ',')
end

function init() math.randomseed(os.time() + first) end

if delay_ms > 0 then
  function delay() return delay_ms * (0.5 + math.random()) end
end

local stop_at = tonumber(os.getenv('BENCH_UNTIL') or '0')
if stop_at > 0 then
  function delay() return os.time() >= stop_at and 3600000 or 0 end
end

local path = os.getenv('BENCH_GET')
local close = os.getenv('BENCH_CLOSE')
local address = os.getenv('BENCH_ADDRESS')

function request()
  if path then return wrk.format('GET', path) end
  local headers = { ['Content-Type'] = 'application/json' }
  if close then headers['Connection'] = 'close' end
  if address then headers['X-Forwarded-For'] = address end
  if addresses > 0 then
    local k = n % addresses
    headers['X-Forwarded-For'] = string.format('10.%d.%d.%d', math.floor(k / 65536) % 256, math.floor(k / 256) % 256, k % 256)
  end
  return wrk.format('POST', '/api/log-cta', headers, string.format(body, new_id()))
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"us":%d,"failed":%d,"p50":%.0f,"p99":%.0f,"statuses":[%s]}\n', summary.requests,
    summary.duration, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.timeout, latency:percentile(50), latency:percentile(99), count_statuses()))
end
