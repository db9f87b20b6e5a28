import { z } from 'zod'
import { defineEndpoint } from './endpoint.ts'
import { AcceptInvitation, Invitee } from './invitations.ts'
import { permissions } from './permissions.ts'
import { CompanyId, Email, Id, Instant, NewPassword, OptionalText, SuccessReply, Text } from './primitives.ts'
import { Assertion, ReauthenticationProof } from './reauthentication.ts'

const Space = z.enum(['office', 'portal'])
const CompanyRef = z.object({ id: z.int(), name: z.string() })

/** What the person must do before any other call is answered. */
export const AccountRequirement = z.enum(['password', 'second-factor'])
export type AccountRequirement = z.infer<typeof AccountRequirement>

export const CurrentUser = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  /** `admin` for every role with back-office access, `client` for portal access only. */
  role: z.enum(['admin', 'client']),
  isAdmin: z.boolean(),
  /** The name of the role in this company. */
  roleName: z.string(),
  /** The space of the session, and those it may switch to: a manager who is also a participant has both. */
  space: Space,
  spaces: z.array(Space),
  /** Permissions in the back office of this company. */
  permissions: z.array(z.enum(permissions)),
  /** The operations the person is limited to; null without a limit. */
  operationIds: z.array(Id).nullable(),
  companyId: z.int(),
  companyName: z.string(),
  /** All companies the user may open; a session is on one of them at a time. */
  companies: z.array(CompanyRef),
  secondFactor: z.boolean(),
  /** The kinds of second factor that are set up. */
  secondFactors: z.array(z.enum(['code', 'passkey'])),
  duty: AccountRequirement.nullable(),
  /** Until it is verified, the person cannot send invitations. */
  emailVerified: z.boolean(),
  trialEndsAt: Instant.nullable(),
  /** The session was opened by the company's identity provider: it is valid for this company only. */
  bySingleSignOn: z.literal(true).optional(),
  /** Set when a back-office user is viewing this person's portal, read-only. */
  viewing: z.object({ viewId: Id, name: z.string() }).optional(),
  /** For an example company: the company it belongs to. */
  exampleOf: z.int().nullable(),
  /** The trial or the subscription has ended: all writes are refused. */
  readOnly: z.boolean(),
  version: z.int(),
})
export type CurrentUser = z.infer<typeof CurrentUser>

export const SignedIn = z.object({
  success: z.literal(true),
  token: z.string(),
  refreshToken: z.string(),
  user: CurrentUser,
})

export const Credentials = z.strictObject({
  email: Email,
  password: z.string().min(1).max(1024),
  /** Six digits of the authenticator, or a recovery code. */
  code: z.string().trim().max(20).optional(),
  /** Instead of a code. */
  passkey: Assertion.optional(),
})

export const Registration = z.strictObject({
  firstName: Text,
  lastName: Text,
  companyName: Text,
  email: Email,
  phone: OptionalText.optional(),
  password: NewPassword,
})

export const Session = z.object({
  id: Id,
  current: z.boolean(),
  device: z.string(),
  ip: z.string(),
  createdAt: Instant,
  lastSeenAt: Instant,
})

const ResetPassword = z.strictObject({ token: z.string().min(20).max(100), password: NewPassword })
export const ChangePassword = z.strictObject({ current: z.string().min(1).max(1024), password: NewPassword })
const Token = z.object({ token: z.string().min(20).max(100) })
const VerifyEmail = z.strictObject({ ...Token.shape, password: z.string().min(1).max(1024).optional() })

export const auth = {
  login: defineEndpoint({
    method: 'POST',
    path: '/api/auth/login',
    access: 'public',
    summary: 'Se connecter',
    body: Credentials,
    response: SignedIn,
    audit: 'own',
  }),
  register: defineEndpoint({
    method: 'POST',
    path: '/api/auth/register',
    access: 'public',
    summary: 'Créer un compte et une organisation',
    body: Registration,
    response: SignedIn,
    audit: 'own',
  }),
  logout: defineEndpoint({
    method: 'POST',
    path: '/api/auth/logout',
    access: 'public',
    summary: 'Se déconnecter',
    response: SuccessReply,
    audit: 'own',
  }),
  me: defineEndpoint({
    method: 'GET',
    path: '/api/auth/me',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Utilisateur connecté',
    anyway: true,
    response: CurrentUser,
  }),
  refresh: defineEndpoint({
    method: 'POST',
    path: '/api/auth/refresh',
    access: 'public',
    summary: 'Renouveler le jeton',
    body: z.strictObject({ refreshToken: z.string().min(20).max(100) }),
    /** The refresh token is good once: the next renewal takes the one that is given here. */
    response: z.object({
      success: z.literal(true),
      token: z.string(),
      expiresIn: z.int(),
      refreshToken: z.string(),
    }),
    audit: 'own',
  }),
  forgotPassword: defineEndpoint({
    method: 'POST',
    path: '/api/auth/forgot-password',
    access: 'public',
    summary: 'Demander un nouveau mot de passe',
    body: z.strictObject({ email: Email }),
    response: SuccessReply,
    audit: 'own',
  }),
  resetPassword: defineEndpoint({
    method: 'POST',
    path: '/api/auth/reset-password',
    access: 'public',
    summary: 'Choisir un nouveau mot de passe',
    body: ResetPassword,
    response: SuccessReply,
    audit: 'own',
  }),
  verifyEmail: defineEndpoint({
    method: 'POST',
    path: '/api/auth/verify-email',
    access: 'public',
    summary: 'Confirmer une adresse e-mail',
    /** With no session of this account, the password chosen at registration is required. */
    body: VerifyEmail,
    response: SuccessReply,
    audit: 'own',
  }),
  askVerification: defineEndpoint({
    method: 'POST',
    path: '/api/auth/verification',
    access: 'signed-in',
    reaches: 'person',
    summary: 'Recevoir à nouveau le lien de confirmation',
    anyway: true,
    response: SuccessReply,
  }),
  invitation: defineEndpoint({
    method: 'GET',
    path: '/api/auth/invitations/:token',
    access: 'public',
    summary: 'Lire une invitation',
    params: Token,
    response: Invitee,
  }),
  acceptInvitation: defineEndpoint({
    method: 'POST',
    path: '/api/auth/invitations/:token/accept',
    access: 'public',
    summary: 'Accepter une invitation',
    params: Token,
    body: AcceptInvitation,
    response: SignedIn,
    audit: 'own',
  }),
  switchCompany: defineEndpoint({
    method: 'POST',
    path: '/api/auth/company',
    access: 'signed-in',
    reaches: 'named-company',
    summary: 'Changer d’organisation',
    anyway: true,
    body: z.strictObject({ companyId: CompanyId }),
    response: CurrentUser,
  }),
  switchSpace: defineEndpoint({
    method: 'POST',
    path: '/api/auth/space',
    access: 'signed-in',
    reaches: 'company',
    summary: 'Changer d’espace',
    anyway: true,
    body: z.strictObject({ space: Space }),
    response: CurrentUser,
  }),
  changePassword: defineEndpoint({
    method: 'POST',
    path: '/api/auth/password',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Changer de mot de passe',
    anyway: true,
    body: ChangePassword,
    response: SuccessReply,
  }),
  sessions: defineEndpoint({
    method: 'GET',
    path: '/api/auth/sessions',
    access: 'signed-in',
    reaches: 'person-or-company',
    summary: 'Sessions ouvertes',
    response: z.object({ items: z.array(Session) }),
  }),
  revokeSession: defineEndpoint({
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    access: 'signed-in',
    reaches: 'person-or-company',
    summary: 'Fermer une session',
    params: z.object({ id: Id }),
    response: SuccessReply,
  }),
  revokeOtherSessions: defineEndpoint({
    method: 'POST',
    path: '/api/auth/sessions/revoke-others',
    access: 'signed-in',
    reaches: 'person-or-company',
    summary: 'Fermer les autres sessions',
    response: z.object({ success: z.literal(true), revoked: z.int() }),
  }),
  startSecondFactor: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Préparer la double authentification',
    anyway: true,
    body: ReauthenticationProof,
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  enableSecondFactor: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/enable',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Activer la double authentification',
    anyway: true,
    body: z.strictObject({
      code: z
        .string()
        .trim()
        .regex(/^\d{6}$/, 'Le code compte six chiffres.'),
    }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  disableSecondFactor: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/disable',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Désactiver la double authentification',
    body: z.strictObject({ password: z.string().min(1).max(1024) }),
    response: SuccessReply,
  }),
  renewRecoveryCodes: defineEndpoint({
    method: 'POST',
    path: '/api/auth/second-factor/recovery-codes',
    access: 'signed-in',
    reaches: 'sign-in',
    summary: 'Renouveler les codes de secours',
    body: z.strictObject({ password: z.string().min(1).max(1024) }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
}
