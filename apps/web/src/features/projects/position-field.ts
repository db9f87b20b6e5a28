/** The field of a position, the same in every form. */
export const POSITION_FIELD = {
  label: 'Position',
  hint: 'Latitude et longitude, comme les donne une carte.',
  placeholder: '45,7601 ; 4,8512',
  autoComplete: 'off',
  optional: true,
} as const
