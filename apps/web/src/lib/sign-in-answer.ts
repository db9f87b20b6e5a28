import { SignedIn } from '@voisol/contract/auth'
import { type Issue, Problem } from '@voisol/contract/errors'
import type { z } from 'zod'

/** Without a refresh token the session lives as long as its token. */
const SignInReply = SignedIn.pick({ token: true, user: true, refreshToken: true }).partial({ refreshToken: true })
export type SignedInAnswer = z.infer<typeof SignInReply>

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

type ResponseBody = Pick<Response, 'ok' | 'text'>

async function readJson(response: ResponseBody): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch {
    throw new SignInError('Server returned invalid response')
  }
}

const getTextField = (body: unknown, key: 'message' | 'error') => {
  const value = body && typeof body === 'object' && key in body ? (body as Record<string, unknown>)[key] : undefined // any JSON object
  return typeof value === 'string' && value ? value : undefined
}

function parseSignInReply(body: unknown): SignedInAnswer {
  const reply = SignInReply.safeParse(body)
  if (!reply.success || !reply.data.token) throw new SignInError('Invalid response from server')
  return reply.data
}

export async function parseLoginResponse(response: ResponseBody): Promise<SignedInAnswer> {
  const body = await readJson(response)
  if (response.ok) return parseSignInReply(body)
  const serverMessage = getTextField(body, 'message') ?? getTextField(body, 'error') ?? 'Login failed'
  throw new SignInError(serverMessage, serverMessage, Problem.safeParse(body).data)
}

/** The refusal keeps the specified text; what the server explains follows it. */
export async function parseRegistrationResponse(response: ResponseBody): Promise<SignedInAnswer> {
  const body = await readJson(response)
  if (response.ok) return parseSignInReply(body)
  const serverMessage = getTextField(body, 'message') ?? getTextField(body, 'error')
  const detail = serverMessage ? `Registration failed. ${serverMessage}` : 'Registration failed'
  throw new SignInError('Registration failed', detail, Problem.safeParse(body).data)
}
