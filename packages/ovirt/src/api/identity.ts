/** `ReadOnlyAdmin` sees everything and changes nothing. */
export interface Identity {
  name: string;
  role: 'SuperUser' | 'ReadOnlyAdmin';
}
