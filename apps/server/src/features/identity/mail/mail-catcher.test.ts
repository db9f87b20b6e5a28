import { describe, expect, test } from 'vitest'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'

describe('with the development mail catcher', () => {
  const server = useServer()
  const get = (url: string) => server.app.inject({ url })

  test('lists messages, newest first, and shows each with everything escaped', async () => {
    expect((await get('/dev/mail')).body).toContain('Aucun message')
    const mail = (subject: string) => ({
      to: 'zoe@exemple.fr',
      subject,
      text: 'Texte <script>alert(1)</script>',
      html: `<p onclick="x">Bonjour</p><script>alert(2)</script>"><img src=x onerror=alert(3)>`,
    })
    await server.deps.mailer.send(mail('Premier'))
    await new Promise((resolve) => setTimeout(resolve, 5))
    await server.deps.mailer.send(mail('Second <b>été</b>'))
    await waitUntil(async () => (await server.catcher.messages()).length === 2)

    const list = await get('/dev/mail')
    expect(list.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(list.body).toContain('Second &lt;b&gt;été&lt;/b&gt;')
    expect(list.body.indexOf('Second')).toBeLessThan(list.body.indexOf('Premier'))

    const path = /href="(\/dev\/mail\/[^"]+\.eml)"/.exec(list.body)?.[1] ?? ''
    const one = await get(path)
    expect(one.statusCode).toBe(200)
    expect(one.body).toContain('zoe@exemple.fr')
    expect(one.body).not.toMatch(/<script|<img|<b>été/)
    expect(one.body).toMatch(
      /<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="&lt;!doctype html&gt;&lt;base/,
    )
  })

  test.each(['absent.eml', '..%2F..%2Fsecret.key', '%2e%2e%2fsecret.key', 'secret.key'])(
    '%s is not found',
    async (file) => {
      expect((await get(`/dev/mail/${file}`)).statusCode).toBe(404)
    },
  )
})

describe('with a configured mail server', () => {
  const server = useServer({ SMTP_URL: 'smtp://127.0.0.1:1' })
  test('the mail pages do not exist', async () => {
    expect((await server.app.inject({ url: '/dev/mail' })).statusCode).toBe(404)
    expect((await server.app.inject({ url: '/dev/mail/x.eml' })).statusCode).toBe(404)
  })
})

test('the mail pages do not exist in production', async () => {
  const { registerDevMailRoutes: registerDevMail } = await import('./routes.ts')
  const paths: string[] = []
  const app = { deps: { config: { production: true, SMTP_URL: 'x' } }, get: (path: string) => paths.push(path) }
  registerDevMail(app as never)
  expect(paths).toEqual([])
})
