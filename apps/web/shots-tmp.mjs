const base = 'http://127.0.0.1:3471'
const j = async (path, init = {}) => {
  const r = await fetch(base + path, { ...init, headers: { 'content-type': 'application/json', origin: base, ...(globalThis.cookie && { cookie: globalThis.cookie }), ...init.headers } })
  if (!globalThis.cookie && r.headers.getSetCookie().length) globalThis.cookie = r.headers.getSetCookie().map((c) => c.split(';')[0]).join('; ')
  return { status: r.status, body: await r.json().catch(() => null) }
}
const login = await j('/api/auth/login', { method: 'POST', body: JSON.stringify({ email: 'admin@demo.voisol.fr', password: 'soleil-partage-demo' }) })
console.log(login.status)
const token = login.body?.token ?? login.body?.accessToken
const h = token ? { authorization: `Bearer ${token}` } : {}
const ops = await j('/api/acc-operations?size=100', { headers: h })
for (const op of ops.body?.items ?? []) {
  const r = await j(`/api/acc-operations/${op.id}/reconciliation`, { headers: h })
  console.log(op.name, op.id, (r.body?.items ?? []).map((m) => `${m.month.slice(0, 7)} ${m.verdict} ${m.definitive} ${JSON.stringify(Object.fromEntries(Object.entries(m.causes).filter(([, n]) => n)))}`).slice(0, 20))
}
const o = await j('/api/enedis/overview', { headers: h })
console.log(JSON.stringify(o.body).slice(0, 900))
