export {
  ALREADY_MEMBER_MESSAGES,
  buildInvitationMail,
  findRoleColumns,
  INVITATION_VALID_DAYS,
  inviteUser,
  recordMemberChange,
  requireCompanyRole,
  resendInvitation,
} from './invite-user.ts'
export { loadUser, searchUsers } from './list-users.ts'
export { disableMember, enableMember, updateUser } from './users.ts'
