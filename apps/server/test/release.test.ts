import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { VERSION } from '../src/version.ts'

/** `## [2.2.0] — 2026-11-19`; what is not released yet stands above it, under its own heading. */
const HEADING = /^## \[(\d+\.\d+\.\d+)\]/m

test('the first release of the CHANGELOG has the version of the program', () => {
  const changelog = readFileSync(join(import.meta.dirname, '../../../CHANGELOG.md'), 'utf8')
  expect(HEADING.exec(changelog)?.[1]).toBe(VERSION)
})
