import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { type LogoutReason, readLogoutState } from '../../lib/session-records.ts'
import { AuthNotice } from './notice.tsx'

/** Older than this, the end of the last session is no news. */
const RECENT_LOGOUT_MS = 5 * 60_000

const LOGOUT_MESSAGES: Partial<Record<LogoutReason, string>> = {
  inactivity: 'Votre session a pris fin après 24\u00a0heures sans activité. Reconnectez-vous pour continuer.',
  'other-tab': 'Vous vous êtes déconnecté dans un autre onglet.',
  refused: 'Votre session a pris fin. Reconnectez-vous pour continuer.',
}

function getLastLogoutMessage(now: number) {
  const state = readLogoutState()
  if (!state?.isLoggedOut || !state.reason || now - (state.logoutTime ?? 0) > RECENT_LOGOUT_MS) return undefined
  return LOGOUT_MESSAGES[state.reason]
}

/** Why a person is back here. */
export function SignInMessage() {
  const [search] = useSearchParams()
  const passwordChanged = useLocation().state === 'password-changed'
  const [message] = useState(() => getLastLogoutMessage(Date.now()))
  if (passwordChanged)
    return <AuthNotice tone="success">Votre nouveau mot de passe est enregistré. Connectez-vous avec lui.</AuthNotice>
  if (search.get('logout') === 'true')
    return <AuthNotice tone="success">Vous êtes déconnecté. À bientôt{'\u00a0'}!</AuthNotice>
  return message ? <AuthNotice tone="info">{message}</AuthNotice> : null
}
