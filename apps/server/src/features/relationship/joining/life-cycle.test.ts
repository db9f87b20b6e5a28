import { APPLICATION_STATE_LABELS, type ApplicationState } from '@voisol/contract/joining-words'
import { expect, test } from 'vitest'
import type { Db } from '../../../db/client.ts'
import { type ApplicationRow, moveApplication } from './life-cycle.ts'

/** Nobody waits to be decided on whose address is not proved, and what was decided stays. */
const STEPS = [
  'draft verified',
  'draft withdrawn',
  'verified waiting',
  'verified withdrawn',
  'waiting accepted',
  'waiting refused',
  'waiting withdrawn',
]

const REACHED = new Error('the database was asked')
const db = {
  update: () => {
    throw REACHED
  },
} as unknown as Db // all that a step reaches
const states = Object.keys(APPLICATION_STATE_LABELS) as ApplicationState[] // keys of that table

test.each(states.flatMap((from) => states.map((to) => ({ from, to }))))('$from to $to', async ({ from, to }) => {
  const step = moveApplication(db, { state: from } as ApplicationRow, to) // all that is read of it before it is written
  await (STEPS.includes(`${from} ${to}`)
    ? expect(step).rejects.toBe(REACHED)
    : expect(step).rejects.toMatchObject({ code: 'conflict' }))
})
