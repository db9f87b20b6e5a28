import { readFileSync } from 'node:fs'
import { parseVectorCases, runVectorCase, type VectorCase } from './vectors/cases.ts'

/** `node packages/money/vectors.ts < cases.json > results.json`: the result of each case by its id. */
function getResult(vector: VectorCase): unknown {
  try {
    return runVectorCase(vector)
  } catch (error) {
    return { error: String(error) }
  }
}

const cases = parseVectorCases(readFileSync(0, 'utf8'))
process.stdout.write(`${JSON.stringify(Object.fromEntries(cases.map((vector) => [vector.id, getResult(vector)])))}\n`)
