import type { ErrorCode, Issue } from '@voisol/contract/errors'

/** The result of a task: its value, and the buffers to transfer instead of copy. */
export type TaskResult<O> = { value: O; moved?: ArrayBuffer[] }
/** A heavy computation run in a thread: it gets its input only, neither a database nor configuration. */
export type ComputeTask<I, O> = (input: I) => TaskResult<O> | Promise<TaskResult<O>>

/** `asked`: a person is waiting. `filed`: a background job, which never uses the threads of the other lane. */
export type ComputeLane = 'asked' | 'filed'
export type TaskDefinition<I, O> = {
  load: () => Promise<{ default: ComputeTask<I, O> }>
  lane: ComputeLane
  /** How long it may run once it has started. */
  seconds: number
  /** What its buffers may take in megabytes, where its own limits allow more than the memory of a thread. */
  bufferMb?: number
}
export type TaskTable = Record<string, TaskDefinition<never, unknown>>

type TaskFunction<R> = R extends { load: () => Promise<{ default: infer F }> } ? F : never
export type TaskInput<R> = TaskFunction<R> extends (input: infer I) => unknown ? I : never
export type TaskOutput<R> =
  TaskFunction<R> extends (input: never) => TaskResult<infer O> | Promise<TaskResult<infer O>> ? O : never

/** Messages between the pool and its threads. */
export type TaskRequest = { name: string; input: unknown }
export type TaskReply = { value: unknown } | { failed: Error } | { refused: TaskRefusal }
/** A refusal of a task, in French, as plain data: error classes do not pass between threads. */
export type TaskRefusal = { code: ErrorCode; message: string; issues: Issue[] | undefined }

/**
 * A copy of the bytes, to be transferred to a thread. The caller's own bytes are needed again if its transaction is
 * retried; transferred, they would be empty by then.
 */
export const copyForTransfer = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)
