import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type LogoutReason, readLogoutState } from '../../lib/session-records.ts'
import { Notice } from './notice.tsx'

/** Older than this, the end of the last session is no news. */
const RECENT_MS = 5 * 60_000

const WORDS: Partial<Record<LogoutReason, string>> = {
  inactivity: 'Votre session a pris fin après 24\u00a0heures sans activité. Reconnectez-vous pour continuer.',
  'other-tab': 'Vous vous êtes déconnecté dans un autre onglet.',
  refused: 'Votre session a pris fin. Reconnectez-vous pour continuer.',
}

function lastEnd(now: number) {
  const state = readLogoutState()
  if (!state?.isLoggedOut || !state.reason || now - (state.logoutTime ?? 0) > RECENT_MS) return undefined
  return WORDS[state.reason]
}

/** Why a person is back here. */
export function Arrival() {
  const [search] = useSearchParams()
  const passwordChanged = useLocation().state === 'password-changed'
  const [words] = useState(() => lastEnd(Date.now()))
  if (passwordChanged)
    return <Notice tone="success">Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.</Notice>
  if (search.get('logout') === 'true') return <Notice tone="success">Vous êtes déconnecté. À bientôt{'\u00a0'}!</Notice>
  return words ? <Notice tone="info">{words}</Notice> : null
}
