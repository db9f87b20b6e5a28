import { expect, test } from 'vitest'
import { placeTip } from './tooltip.tsx'

const page = { width: 400, height: 800 }
const tip = { width: 100, height: 30 }
const box = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 40 })

test('a tip stands above the middle of its target', () => {
  expect(placeTip(box(180, 300), tip, 'top', page)).toEqual({ left: 150, top: 264 })
})

test('a tip goes under where there is no room above', () => {
  expect(placeTip(box(180, 10), tip, 'top', page)).toEqual({ left: 150, top: 56 })
})

test('a tip never leaves the page', () => {
  expect(placeTip(box(0, 300), tip, 'top', page).left).toBe(8)
  expect(placeTip(box(370, 300), tip, 'top', page).left).toBe(292)
})

test('beside the icons of the sidebar it hides none of them', () => {
  expect(placeTip(box(10, 300), tip, 'right', page)).toEqual({ left: 56, top: 305 })
})
