import { describe, expect, test } from 'vitest'
import { generateToken } from '../secrets.ts'
import { createLogger, describeError, maskPath } from './logging.ts'

function capture() {
  const lines: string[] = []
  return { lines, log: createLogger('info', { write: (line) => void lines.push(line) }) }
}

describe('logs', () => {
  test.each([
    ['/api/users?q=secret&token=x', '/api/users'],
    [`/api/auth/invitations/${generateToken()}/accept`, '/api/auth/invitations/***/accept'],
    ['/api/points/30001234567890/curve', '/api/points/**********7890/curve'],
    ['/api/users/5a3c1f0e-8a1b-4c58-9d52-2f6f3b7f1a11', '/api/users/5a3c1f0e-8a1b-4c58-9d52-2f6f3b7f1a11'],
    ['/solutions/autoconsommation-collective', '/solutions/autoconsommation-collective'],
  ])('the path %s is logged as %s', (url, path) => {
    expect(maskPath(url)).toBe(path)
  })

  test('are one JSON line per event, and mask delivery point numbers everywhere', () => {
    const { lines, log } = capture()
    log.info({ point: '30001234567890', n: 30001234567890, list: ['PRM 30001234567890.'] }, 'read 30001234567890')
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('30001234567890')
    expect(JSON.parse(String(lines[0]))).toMatchObject({ point: '**********7890', n: '**********7890' })
  })

  test('of a failed query contain the statement without its values', () => {
    const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(a@b.fr)' })
    const error = new Error('Failed query: insert into users values ($1)\nparams: a@b.fr,hash\nof two lines', { cause })
    const { lines, log } = capture()
    log.error({ err: error }, 'unexpected')
    expect(lines[0]).toContain('insert into users')
    expect(lines[0]).toContain('23505')
    expect(lines[0]).not.toMatch(/a@b\.fr|hash|two lines/)
    expect(describeError('text')).toEqual({ type: 'string', message: 'text' })
  })
})
