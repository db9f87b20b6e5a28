export const LENGTH = 12
/** Administrators without a second factor. */
export const ADMIN_LENGTH = 15

const hint = (least: number) => `${least}\u00a0caractères au moins\u00a0; une phrase de plusieurs mots convient.`
export const clientHint = hint(LENGTH)
export const adminHint = hint(ADMIN_LENGTH)
export const eitherHint = `${LENGTH}\u00a0caractères au moins, ${ADMIN_LENGTH} pour un administrateur\u00a0; une phrase convient.`
