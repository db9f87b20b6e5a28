import { expect, test } from 'vitest'
import { type PathWithLayout, pageLayouts } from './layouts.ts'
import { getFooterColumns, getHeaderEntries } from './menu.ts'

/** Anchors lead into a page that is in the menu already, and what is not made of blocks looks like itself. */
const layoutsOf = (links: { href: string }[]) =>
  links.map(({ href }) => href).filter((href): href is PathWithLayout => href in pageLayouts)

const neighbours = (paths: PathWithLayout[]) =>
  paths.slice(1).flatMap((path, index) => {
    const before = paths[index]
    return before && pageLayouts[before] === pageLayouts[path] ? [`${before} ${path}: ${pageLayouts[path]}`] : []
  })

test('two pages that stand side by side in a menu never look alike', () => {
  const rows = [
    getHeaderEntries(),
    ...getHeaderEntries().map(({ href, children }) => [{ href }, ...children]),
    ...getFooterColumns().map(({ links }) => links),
  ]
  expect(rows.map(layoutsOf).flatMap(neighbours)).toEqual([])
})

test('each of the three layouts is at work', () => {
  const used = Object.values(pageLayouts)
  for (const layout of ['story', 'tour', 'reference'] as const)
    expect(used.filter((one) => one === layout).length, layout).toBeGreaterThanOrEqual(6)
})
