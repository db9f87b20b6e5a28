import { afterAll, expect, test } from 'vitest'
import { type ComputeLimits, type ComputeOptions, createComputePool } from './pool.ts'
import { TEST_TASKS } from './testing/tasks.ts'

const THREAD = new URL('./testing/thread.ts', import.meta.url)
const pools: { close(): Promise<void> }[] = []
afterAll(() => Promise.all(pools.map((pool) => pool.close())))

function openPool(limits: Partial<ComputeLimits> = {}) {
  const pool = createComputePool(TEST_TASKS, THREAD, { threads: 1, memoryMb: 64, waiting: 3, ...limits })
  pools.push(pool)
  return pool
}
const { compute } = openPool()
const mine: ComputeOptions = { companyId: 1 }

test('gives the same result as the function called directly', async () => {
  const here = await TEST_TASKS.count.load()
  expect(await compute('count', 1000, mine)).toBe((await here.default(1000)).value)
})

test('buffers are transferred, not copied', async () => {
  const values = Int32Array.of(1, 2, 3)
  const { twice, given } = await compute('double', values, { ...mine, moved: [values.buffer] })
  expect([values.length, given, ...twice]).toEqual([0, 3, 2, 4, 6])
})

test('a task that fails leaves its thread to the next one', async () => {
  await expect(compute('fails', 'not so', mine)).rejects.toThrow(new RangeError('not so'))
  expect(await compute('count', 10, mine)).toBe(285)
})

test('a thread that crashes fails only its own task and is replaced', async () => {
  const [broken, next] = [compute('exits', 7, mine), compute('count', 10, mine)]
  await expect(broken).rejects.toThrow('the thread of exits ended early (7)')
  expect(await next).toBe(285)
})

test('a task that uses too much memory is refused in French, and the process goes on', async () => {
  const [refused, next] = [compute('hoards', null, mine), compute('count', 10, mine)]
  await expect(refused).rejects.toMatchObject({ code: 'compute-memory', status: 422 })
  await expect(refused).rejects.toThrow('demande trop de mémoire')
  expect(await next).toBe(285)
})

test('a task that keeps more bytes in buffers than a thread has memory is refused too', async () => {
  const [refused, next] = [compute('hoardsBuffers', 100, mine), compute('count', 10, mine)]
  await expect(refused).rejects.toMatchObject({ code: 'compute-memory', status: 422 })
  expect(await next).toBe(285)
})

test('a task ends when its buffers fit into the memory of a thread, or into what its row allows', async () => {
  expect(await compute('keepsBuffers', 30, mine)).toBe(30)
  expect(await compute('keepsManyBuffers', 100, mine)).toBe(100)
  await expect(compute('hoardsManyBuffers', 300, mine)).rejects.toMatchObject({ code: 'compute-memory' })
})

test('a task that takes too long is refused in French', async () => {
  const [refused, next] = [compute('forever', null, { ...mine, seconds: 0.05 }), compute('count', 10, mine)]
  await expect(refused).rejects.toMatchObject({
    code: 'compute-time',
    message: expect.stringContaining('trop de temps'),
  })
  expect(await next).toBe(285)
})

test('a company with too many waiting tasks must retry later, another need not', async () => {
  const stop = new AbortController()
  const running = compute('forever', null, { ...mine, signal: stop.signal })
  const waiting = [1, 2, 3].map((n) => compute('count', n, mine))
  await expect(compute('count', 4, mine)).rejects.toMatchObject({ code: 'compute-busy', status: 429, retryAfter: 10 })
  const other = compute('count', 10, { companyId: 2 })
  stop.abort(new Error('enough'))
  await expect(running).rejects.toThrow('enough')
  expect(await other).toBe(285)
  expect(await Promise.all(waiting)).toEqual([0, 1, 5])
})

test('companies take turns, however many tasks one of them has', async () => {
  const { compute: fair } = openPool({ waiting: 10 })
  const order: string[] = []
  const ask = (companyId: number, name: string) => fair('count', 10, { companyId }).then(() => order.push(name))
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map((name) => ask(1, name)),
    ...['b1', 'b2'].map((name) => ask(2, name)),
    ask(3, 'c1'),
  ])
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('an aborted task is stopped, or never starts', async () => {
  const { compute: own } = openPool()
  const [first, second] = [new AbortController(), new AbortController()]
  const running = own('forever', null, { ...mine, signal: first.signal })
  const waiting = own('forever', null, { ...mine, signal: second.signal })
  second.abort(new Error('second'))
  await expect(waiting).rejects.toThrow('second')
  first.abort(new Error('first'))
  await expect(running).rejects.toThrow('first')
  await expect(own('count', 10, { ...mine, signal: first.signal })).rejects.toThrow('first')
  expect(await own('count', 10, mine)).toBe(285)
})

test('of two threads a company may use one: another company is served meanwhile', async () => {
  const { compute: own } = openPool({ threads: 2 })
  const stop = new AbortController()
  const running = ['a', 'b'].map(() => own('forever', null, { ...mine, signal: stop.signal }))
  expect(await own('count', 10, { companyId: 2 })).toBe(285)
  expect(await own('count', 10, { companyId: 3 })).toBe(285)
  stop.abort(new Error('enough'))
  const ends = await Promise.allSettled(running)
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await own('count', 10, mine)).toBe(285)
})

test('an error keeps its code, message and field; patient tasks are never turned away', async () => {
  const refused = compute('refuses', 'trop large', mine)
  await expect(refused).rejects.toMatchObject({ code: 'invalid', status: 422, message: 'trop large' })
  await expect(refused).rejects.toMatchObject({ issues: [{ path: 'file', message: 'trop large' }] })
  const many = Array.from({ length: 9 }, () => compute('count', 10, { ...mine, patient: true }))
  expect(new Set(await Promise.all(many))).toEqual(new Set([285]))
})

test('a background job never uses the thread reserved for interactive tasks', async () => {
  const stop = new AbortController()
  const { compute: own } = openPool()
  const running = own('forever', null, { ...mine, signal: stop.signal })
  expect(await own('filed', 10, mine)).toBe(285)
  stop.abort()
  await expect(running).rejects.toBeDefined()
})

test('the server answers while a task runs in the pool, and blocks without it', async () => {
  let ticks = 0
  let enough = () => {}
  const heard = new Promise<void>((resolve) => {
    enough = resolve
  })
  const timer = setInterval(() => {
    if (++ticks === 20) enough()
  }, 1)
  const { default: run } = await TEST_TASKS.count.load()
  const before = ticks
  await run(2_000_000)
  expect(ticks).toBe(before)
  const stop = new AbortController()
  const running = compute('forever', null, { ...mine, signal: stop.signal })
  await heard
  clearInterval(timer)
  stop.abort(new Error('still running'))
  await expect(running).rejects.toThrow('still running')
})

test('closing leaves no task running or waiting', async () => {
  const { compute: own, close } = openPool()
  const left = [own('forever', null, mine), own('count', 1, mine)]
  const ends = Promise.allSettled(left)
  await close()
  expect((await ends).map((end) => end.status === 'rejected' && String(end.reason))).toEqual([
    'Error: the process stops',
    'Error: the process stops',
  ])
  await expect(own('count', 1, mine)).rejects.toThrow('the process stops')
})
