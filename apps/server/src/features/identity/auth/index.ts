export { buildAccountMailPreview, notifyAccountOwner, SECURITY_NOTICES } from './account-mails.ts'
export {
  findAccount,
  findAccountByEmail,
  isActiveMembership,
  isOfficeMembership,
  lockCredentials,
  lockUserAccount,
  type UserAccount,
} from './accounts.ts'
export { anonymizeAccount } from './auth.ts'
export { invalidateResetLinks, requireOwnPassword } from './change-password.ts'
export { completeSignIn, loadCurrentUser } from './complete-sign-in.ts'
export { confirmUserAddress, lockConfirmedAccount, requireVerifiedAddress } from './email-verification.ts'
export { listPasskeys } from './passkeys.ts'
export { buildPasswordColumns, hashPassword } from './passwords.ts'
export { requireReauthentication } from './reauthentication.ts'
export { hasSecondFactor, removeSecondFactor } from './second-factor.ts'
export { listSessions } from './sessions.ts'
