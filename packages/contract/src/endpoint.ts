import type { z } from 'zod'
import type { Access, PORTAL_BLOCKS } from './access.ts'

/**
 * Whose data a call touches. A session may be valid for one company only: the server then refuses a wider reach.
 * - `company`: only the company of the session;
 * - `named-company`: the company named by `companyId` in the path, checked before the call; one named in the body is
 *   checked by its handler (`requireOtherCompany`);
 * - `person`: data of the person in every company, such as their name;
 * - `person-or-company`: the same, but a single-company session receives only the data of that company;
 * - `sign-in`: how the person proves their identity, which concerns all their companies;
 * - `installation`: any company, on behalf of the operator of the installation.
 */
type Reach = 'company' | 'named-company' | 'person' | 'person-or-company' | 'sign-in' | 'installation'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  access: Access
  /** Required where `access` is `signed-in`; otherwise derived from the path (`getReach`). */
  reaches?: Reach
  /** What the call does, in French: heading of the API reference and label of the audit entry. */
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body is a file of at most this many bytes, sent raw (application/octet-stream). */
  upload?: number
  /** With `upload`: the file is a JSON message (application/json) whose signature covers its exact bytes. */
  signed?: true
  /** A JSON reply, or a downloaded file named by its media type. */
  response: z.ZodType | { file: string }
  /** The file is a PDF that our own pages show in a frame, so the headers of the file and of an error allow it. */
  framed?: true
  /**
   * `own`: the call writes its own audit entry, for instance a password recovery, which must not record who asked.
   * `none`: the call changes nothing, although it is not a GET.
   */
  audit?: 'own' | 'none'
  /** Also answered to a person who must first secure their account: calls that say so, or let them do it. */
  anyway?: true
  /** Also answered in a company whose trial or subscription has ended, which is otherwise read-only. */
  lapsed?: true
  /**
   * Serves only this block of the portal home page: if the company hides the block, the portal may not call it either.
   */
  block?: (typeof PORTAL_BLOCKS)[number]
  /**
   * Seconds the call may take once its body is received, if different from the default of its kind. After that it is
   * aborted and rolled back.
   */
  timeout?: number
}

/** The reach of a call: that of its endpoint, else the company in its path, else the company of the caller. */
export const getReach = ({ reaches, path }: Pick<Endpoint, 'reaches' | 'path'>): Reach =>
  reaches ?? (path.includes('/:companyId') ? 'named-company' : 'company')

/** A retry with the same Idempotency-Key gets the first answer again, without a second effect. */
export const isRepeatable = ({ method, audit, response }: Endpoint) =>
  method !== 'GET' && audit !== 'none' && !('file' in response)

const TIMEOUT_SECONDS = { read: 30, write: 60, file: 120, upload: 120 }

export function getTimeoutSeconds({ method, upload, response, timeout }: Endpoint): number {
  if (timeout !== undefined) return timeout
  if (upload) return TIMEOUT_SECONDS.upload
  if ('file' in response) return TIMEOUT_SECONDS.file
  return method === 'GET' ? TIMEOUT_SECONDS.read : TIMEOUT_SECONDS.write
}

type SchemaInput<S> = S extends z.ZodType ? z.input<S> : undefined
type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : undefined

type InputPart = 'params' | 'query' | 'body' | 'upload'
/** What a caller passes: only the parts the endpoint declares. A browser sends a file as the `Blob` it was given. */
export type EndpointInput<E extends Endpoint> = {
  [K in InputPart as E[K] extends z.ZodType | number ? K : never]: E[K] extends number
    ? { size: number }
    : SchemaInput<E[K]>
}
/** What a handler receives, after parsing. */
export type ParsedInput<E extends Endpoint> = {
  params: SchemaOutput<E['params']>
  query: SchemaOutput<E['query']>
  body: SchemaOutput<E['body']>
  upload: E['upload'] extends number ? Uint8Array : undefined
}

/**
 * `type` where one endpoint has several formats; `shown` where the file is part of a page and may be cached; `alone`
 * for a file made by somebody else: opened alone, it can run and load nothing.
 */
export type FileReply = {
  name: string
  type?: string
  shown?: true
  alone?: true
  content: Uint8Array | string | AsyncIterable<Uint8Array>
}
export type EndpointReply<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : FileReply

export const defineEndpoint = <const E extends Endpoint>(e: E) => e
