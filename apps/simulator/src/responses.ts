/** The answer sent to the client. */
export type SimulatorResponse = { status: number; body: string; headers?: Record<string, string>; html?: true }

/** Error formats: the first interfaces, that of 2026, and the gateway in front of them. */
export type RefusalStyle = 'old' | 'new' | 'gateway'

export const toJsonResponse = (value: unknown, status = 200, headers?: Record<string, string>): SimulatorResponse => ({
  status,
  body: JSON.stringify(value),
  ...(headers && { headers }),
})

export class SimulatedRefusal extends Error {
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

export function toRefusalResponse(
  voice: RefusalStyle,
  { status, code, message, headers }: SimulatedRefusal,
): SimulatorResponse {
  if (voice === 'old') {
    const uri = '/technical_portal/errors'
    return toJsonResponse({ error: code, error_description: message, error_uri: uri }, status, headers)
  }
  if (voice === 'new') return toJsonResponse({ code, message }, status, headers)
  return toJsonResponse({ fault: { code, message, description: message } }, status, headers)
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `2026-Jul-22 05:00:00+0000 UTC`, as the gateway writes it. */
function formatAccessTime(ms: number): string {
  const [date = '', time = ''] = new Date(Math.ceil(ms / 1000) * 1000).toISOString().split('T')
  const [year, month, day] = date.split('-')
  return `${year}-${MONTHS[Number(month) - 1]}-${day} ${time.slice(0, 8)}+0000 UTC`
}

export const createThrottledResponse = (at: number): SimulatorResponse =>
  toJsonResponse(
    {
      fault: {
        code: 900804,
        message: 'Message throttled out',
        description: 'You have exceeded your quota. You can access API after the time given.',
        nextAccessTime: formatAccessTime(at),
      },
    },
    429,
  )

const formatClockTime = (ms: number) => new Date(Math.ceil(ms / 1000) * 1000).toISOString().slice(11, 19)
export const createQuotaResponse = (quota: 'Q3' | 'Q4', at: number): SimulatorResponse =>
  toRefusalResponse(
    'old',
    new SimulatedRefusal(429, `Quota ${quota} reached`, `Call threshold allowed on ${formatClockTime(at)}`),
  )
