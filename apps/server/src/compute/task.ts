import type { ErrorCode, Issue } from '@voisol/contract/errors'

/** What a task gives back: its value, and the buffers that are handed over instead of being copied. */
export type Answer<O> = { value: O; moved?: ArrayBuffer[] }
/** Something heavy, done in a thread of its own: it has its input and nothing else, no database and no configuration. */
export type Task<I, O> = (input: I) => Answer<O> | Promise<Answer<O>>

/** `asked`: a person waits for it. `filed`: a job, which never takes the thread of a person who waits. */
export type Lane = 'asked' | 'filed'
export type Row<I, O> = {
  load: () => Promise<{ default: Task<I, O> }>
  lane: Lane
  /** How long it may run once its turn has come. */
  seconds: number
}
export type Table = Record<string, Row<never, unknown>>

type RunOf<R> = R extends { load: () => Promise<{ default: infer F }> } ? F : never
export type InputOf<R> = RunOf<R> extends (input: infer I) => unknown ? I : never
export type OutputOf<R> = RunOf<R> extends (input: never) => Answer<infer O> | Promise<Answer<infer O>> ? O : never

/** The words between the pool and its threads. */
export type Asked = { name: string; input: unknown }
export type Said = { value: unknown } | { failed: Error } | { refused: Refusal }
/** What a task refuses in French: an error of ours crosses as what it says, since a thread hands over no class. */
export type Refusal = { code: ErrorCode; message: string; issues: Issue[] | undefined }
