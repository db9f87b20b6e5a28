import { readFileSync } from 'node:fs'
import { type Case, readCases, runCase } from './vectors/cases.ts'

/** `node packages/money/vectors.ts < cases.json > results.json`: the result of each case by its id. */
function resultOf(vector: Case): unknown {
  try {
    return runCase(vector)
  } catch (error) {
    return { error: String(error) }
  }
}

const cases = readCases(readFileSync(0, 'utf8'))
process.stdout.write(`${JSON.stringify(Object.fromEntries(cases.map((vector) => [vector.id, resultOf(vector)])))}\n`)
