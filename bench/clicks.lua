-- Script for wrk. Sends clicks, each with a UUID v7 of its own. BENCH_FIRST: number of the first click.
-- BENCH_ADDRESSES=1: each with an address of its own.
local n = tonumber(os.getenv('BENCH_FIRST') or '0')
local headers = { ['Content-Type'] = 'application/json' }
local body = '{"event":"hero_cta_click","referrer":"clinic-7","ip":"203.0.113.7","timestamp":"2026-11-20T18:00:00.000Z",'
  .. '"page_url":"https://site.example/?ref=clinic-7","user_agent":"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) '
  .. 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36","is_mobile":false,"id":"%s"}'

-- From the time and a counter: unique within a run, and increasing like real ids.
local function new_id()
  n = n + 1
  local ms = os.time() * 1000 + n % 1000
  return string.format('%08x-%04x-7%03x-8%03x-%012x', math.floor(ms / 65536) % 4294967296, ms % 65536,
    math.random(0, 4095), math.random(0, 4095), n)
end

function init() math.randomseed(os.time() + n) end

function request()
  local id = new_id()
  if os.getenv('BENCH_ADDRESSES') == '1' then
    headers['X-Forwarded-For'] = string.format('11.%d.%d.%d', math.floor(n / 65536) % 256, math.floor(n / 256) % 256, n % 256)
  end
  return wrk.format('POST', '/api/log-cta', headers, string.format(body, id))
end

function done(summary, latency)
  io.write(string.format('RESULT {"requests":%d,"us":%d,"failed":%d,"p50":%.0f,"p99":%.0f}\n', summary.requests,
    summary.duration, summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.write
    + summary.errors.timeout, latency:percentile(50), latency:percentile(99)))
end
