import type { ErrorCode, Issue } from '@voisol/contract/errors'

/** What a task gives back: its value, and the buffers that are handed over instead of being copied. */
export type TaskResult<O> = { value: O; moved?: ArrayBuffer[] }
/** Something heavy, done in a thread of its own: it has its input and nothing else, no database and no configuration. */
export type ComputeTask<I, O> = (input: I) => TaskResult<O> | Promise<TaskResult<O>>

/** `asked`: a person waits for it. `filed`: a job, which never takes the thread of a person who waits. */
export type ComputeLane = 'asked' | 'filed'
export type TaskDefinition<I, O> = {
  load: () => Promise<{ default: ComputeTask<I, O> }>
  lane: ComputeLane
  /** How long it may run once its turn has come. */
  seconds: number
}
export type TaskTable = Record<string, TaskDefinition<never, unknown>>

type TaskFunction<R> = R extends { load: () => Promise<{ default: infer F }> } ? F : never
export type TaskInput<R> = TaskFunction<R> extends (input: infer I) => unknown ? I : never
export type TaskOutput<R> =
  TaskFunction<R> extends (input: never) => TaskResult<infer O> | Promise<TaskResult<infer O>> ? O : never

/** The words between the pool and its threads. */
export type TaskRequest = { name: string; input: unknown }
export type TaskReply = { value: unknown } | { failed: Error } | { refused: TaskRefusal }
/** What a task refuses in French: an error of ours crosses as what it says, since a thread hands over no class. */
export type TaskRefusal = { code: ErrorCode; message: string; issues: Issue[] | undefined }
