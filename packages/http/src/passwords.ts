// For servers with users. Apart from the API itself, because clients that only call it do not need it.
export { LoginLimits } from './login-limits.ts';
export { costs, hashSecret, isSecret } from './secrets.ts';
