type PostRefusal = { ok: false; message: string; issues: { path: string; message: string }[] }
type PostReply = { ok: true; data: Record<string, unknown> } | PostRefusal

const OFFLINE_MESSAGE =
  'La connexion au serveur a échoué. Rien n’est perdu\u00a0: vérifiez votre réseau, puis envoyez à nouveau.'
const UNEXPECTED_REPLY_MESSAGE =
  'Le serveur n’a pas répondu comme prévu. Rien n’est perdu\u00a0: réessayez dans un instant.'
const toRefusal = (message: string, issues: PostRefusal['issues'] = []): PostRefusal => ({ ok: false, message, issues })

/** The site's own way to send a form: without the schemas of the API, so that a page to read stays light. */
export async function postForm(path: string, body: unknown, key: string): Promise<PostReply> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      credentials: 'include',
      signal: AbortSignal.timeout(30_000),
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    })
    const data = await response.json().catch(() => null)
    if (response.ok && data) return { ok: true, data }
    return toRefusal(data?.message ?? UNEXPECTED_REPLY_MESSAGE, data?.issues)
  } catch {
    return toRefusal(OFFLINE_MESSAGE)
  }
}
