/** What goes back over the wire. */
export type Answer = { status: number; body: string; headers?: Record<string, string>; html?: true }

/** Each interface refuses in its own way: the first ones, that of 2026, and the gateway before them all. */
export type Voice = 'old' | 'new' | 'gateway'

export const json = (value: unknown, status = 200, headers?: Record<string, string>): Answer => ({
  status,
  body: JSON.stringify(value),
  ...(headers && { headers }),
})

export class Refusal extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string> | undefined
  constructor(status: number, code: string, message: string, headers?: Record<string, string>) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

export function refuse(voice: Voice, { status, code, message, headers }: Refusal): Answer {
  if (voice === 'old') {
    const uri = '/technical_portal/errors'
    return json({ error: code, error_description: message, error_uri: uri }, status, headers)
  }
  if (voice === 'new') return json({ code, message }, status, headers)
  return json({ fault: { code, message, description: message } }, status, headers)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-Jul-22 05:00:00+0000 UTC`, as the gateway writes it. */
export function accessTime(ms: number): string {
  const [date = '', time = ''] = new Date(Math.ceil(ms / 1000) * 1000).toISOString().split('T')
  const [year, month, day] = date.split('-')
  return `${year}-${MONTHS[Number(month) - 1]}-${day} ${time.slice(0, 8)}+0000 UTC`
}

export const throttled = (at: number): Answer =>
  json(
    {
      fault: {
        code: 900804,
        message: 'Message throttled out',
        description: 'You have exceeded your quota. You can access API after the time given.',
        nextAccessTime: accessTime(at),
      },
    },
    429,
  )

const clockTime = (ms: number) => new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(11, 19)
export const quotaReached = (quota: 'Q3' | 'Q4', at: number): Answer =>
  refuse('old', new Refusal(429, `Quota ${quota} reached`, `Call threshold allowed on ${clockTime(at)}`))
