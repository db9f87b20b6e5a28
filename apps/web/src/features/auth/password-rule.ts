export const MIN_PASSWORD_LENGTH = 12
/** Administrators without a second factor. */
export const MIN_ADMIN_PASSWORD_LENGTH = 15

const buildLengthHint = (least: number) =>
  `${least}\u00a0caractères au moins\u00a0; une phrase de plusieurs mots convient.`
export const clientPasswordHint = buildLengthHint(MIN_PASSWORD_LENGTH)
export const adminPasswordHint = buildLengthHint(MIN_ADMIN_PASSWORD_LENGTH)
export const anyPasswordHint = `${MIN_PASSWORD_LENGTH}\u00a0caractères au moins, ${MIN_ADMIN_PASSWORD_LENGTH} pour un administrateur\u00a0; une phrase convient.`
