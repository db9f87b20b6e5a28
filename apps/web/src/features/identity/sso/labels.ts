import type { SsoConnection, SsoKind } from '@voisol/contract/sso'

export const SSO_KIND_LABELS: Record<SsoKind, { label: string; hint: string }> = {
  oidc: { label: 'OpenID Connect', hint: 'Entra ID, Okta, Google Workspace, Keycloak… Le plus simple à régler.' },
  saml: { label: 'SAML 2.0', hint: 'AD FS, Shibboleth et les annuaires qui ne parlent pas OpenID.' },
}

export const SSO_STEPS = ['Domaine', 'Fournisseur', 'Essai', 'Ouverture', 'Obligation']

export const isProviderConfigured = ({ kind, hasSecret, certificates }: SsoConnection) =>
  kind === 'oidc' ? hasSecret : certificates.length > 0
export const hasProvedDomain = ({ domains }: SsoConnection) => domains.some(({ provedAt }) => provedAt !== null)

/** The first step that is not done; beyond the last, all are. */
export function getSetupStep(connection: SsoConnection): number {
  const done = [
    hasProvedDomain(connection),
    isProviderConfigured(connection),
    connection.testedAt !== null,
    connection.activatedAt !== null,
    connection.enforcedAt !== null,
  ]
  const at = done.indexOf(false)
  return at === -1 ? SSO_STEPS.length : at
}

export function getSsoConnectionState({ activatedAt, enforcedAt }: SsoConnection) {
  if (enforcedAt) return { tone: 'success', label: 'Imposée' } as const
  if (activatedAt) return { tone: 'success', label: 'Ouverte' } as const
  return { tone: 'warning', label: 'À régler' } as const
}

const DAY_MS = 86_400_000
/** Days until a day begins; a past one is below zero. */
export const getDaysUntil = (day: string, now = Date.now()) =>
  Math.ceil((Date.parse(`${day}T00:00:00Z`) - now) / DAY_MS)
export const getExpiryTone = (days: number) => (days < 0 ? 'danger' : days <= 30 ? 'warning' : 'neutral')
