export type Refusal = { ok: false; message: string; issues: { path: string; message: string }[] }
export type Answer = { ok: true; data: Record<string, unknown> } | Refusal

const OFFLINE =
  'La connexion au serveur a échoué. Rien n’est perdu\u00a0: vérifiez votre réseau, puis envoyez à nouveau.'
const UNCLEAR = 'Le serveur n’a pas répondu comme prévu. Rien n’est perdu\u00a0: réessayez dans un instant.'
const refusal = (message: string, issues: Refusal['issues'] = []): Refusal => ({ ok: false, message, issues })

/** The site's own way to send a form: without the schemas of the API, so that a page to read stays light. */
export async function post(path: string, body: unknown, key: string): Promise<Answer> {
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
    return refusal(data?.message ?? UNCLEAR, data?.issues)
  } catch {
    return refusal(OFFLINE)
  }
}
