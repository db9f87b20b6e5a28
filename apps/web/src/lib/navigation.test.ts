import { afterEach, describe, expect, test, vi } from 'vitest'
import { computeNextProgress, computeProgress, debounce, PROGRESS_TIMES } from './navigation.ts'

describe('the progress bar', () => {
  test('rises by 10 up to 70, then by 2 up to 90', () => {
    const seen = [0]
    while (seen.length < 20) seen.push(computeNextProgress(seen.at(-1) ?? 0))
    expect(seen).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 72, 74, 76, 78, 80, 82, 84, 86, 88, 90, 90, 90])
    expect(computeNextProgress(65)).toBe(70)
    expect(computeNextProgress(89)).toBe(90)
  })

  test('steps every 50 ms until 200, is full at 300 and gone at 400', () => {
    expect(PROGRESS_TIMES.map(computeProgress)).toEqual([0, 10, 20, 30, 40, 100, null])
    expect(computeProgress(49)).toBe(0)
    expect(computeProgress(299)).toBe(40)
    expect(computeProgress(399)).toBe(100)
  })
})

describe('debounce', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('calls once after the last of a burst, and not when cancelled', () => {
    vi.useFakeTimers()
    const work = vi.fn()
    const later = debounce(work, 250)
    later()
    vi.advanceTimersByTime(200)
    later()
    vi.advanceTimersByTime(249)
    expect(work).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(work).toHaveBeenCalledOnce()
    later()
    later.cancel()
    vi.runAllTimers()
    expect(work).toHaveBeenCalledOnce()
  })
})
