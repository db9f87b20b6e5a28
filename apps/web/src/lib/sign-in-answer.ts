import { SignedIn } from '@voisol/contract/auth'
import { type Issue, Problem } from '@voisol/contract/errors'
import type { z } from 'zod'

/** Without a refresh token the session lives as long as its token. */
const Reply = SignedIn.pick({ token: true, user: true, refreshToken: true }).partial({ refreshToken: true })
export type SignedInAnswer = z.infer<typeof Reply>

/** `message` is the text the specification gives; `detail` is the sentence to show. */
export class SignInError extends Error {
  readonly detail: string
  readonly code: string
  readonly issues: Issue[]
  constructor(message: string, detail = message, problem?: Problem) {
    super(message)
    this.detail = detail
    this.code = problem?.code ?? 'unknown'
    this.issues = problem?.issues ?? []
  }
}

type Answer = Pick<Response, 'ok' | 'text'>

async function json(response: Answer): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch {
    throw new SignInError('Server returned invalid response')
  }
}

const textOf = (body: unknown, key: 'message' | 'error') => {
  const value = body && typeof body === 'object' && key in body ? (body as Record<string, unknown>)[key] : undefined // any JSON object
  return typeof value === 'string' && value ? value : undefined
}

function accepted(body: unknown): SignedInAnswer {
  const reply = Reply.safeParse(body)
  if (!reply.success || !reply.data.token) throw new SignInError('Invalid response from server')
  return reply.data
}

export async function readLogin(response: Answer): Promise<SignedInAnswer> {
  const body = await json(response)
  if (response.ok) return accepted(body)
  const words = textOf(body, 'message') ?? textOf(body, 'error') ?? 'Login failed'
  throw new SignInError(words, words, Problem.safeParse(body).data)
}

/** The refusal keeps the specified text; what the server explains follows it. */
export async function readRegistration(response: Answer): Promise<SignedInAnswer> {
  const body = await json(response)
  if (response.ok) return accepted(body)
  const words = textOf(body, 'message') ?? textOf(body, 'error')
  const detail = words ? `Registration failed. ${words}` : 'Registration failed'
  throw new SignInError('Registration failed', detail, Problem.safeParse(body).data)
}
