import { existsSync } from 'node:fs';
import { attempt } from '@nova-platform/process';

const timeoutSeconds = 2;

/**
 * Lets a virtual processor count to 5 million and halt. On some hosts that are themselves VMs /dev/kvm is there, but the
 * kernel emulates every instruction: it then takes longer than this probe waits, and no usual kernel boots. Perl is part of
 * every Debian, and can call the kernel without a library.
 */
const probe = `
alarm ${timeoutSeconds};
my ($mmap, $read, $page) = (9, 0, 4096);
open(my $kvm, "+<", "/dev/kvm") or exit 1;
sub call { my $value = ioctl($_[0], $_[1], $_[2]); defined $value or exit 1; return $value + 0; }
sub descriptor { open(my $file, "+<&=", $_[0]) or exit 1; return $file; }
my $vm = descriptor(call($kvm, 0xae01, 0));
my $memory = syscall($mmap, 0, $page, 3, 0x22, -1, 0);
$memory == -1 and exit 1;
pipe(my $out, my $in) or exit 1;
# mov ecx, 5000000; loop to itself; hlt. The reset vector jumps to it.
my $code = "\\x66\\xb9" . pack("L", 5_000_000) . "\\x67\\xe2\\xfd\\xf4";
syswrite($in, $code . "\\0" x (0xff0 - length $code) . "\\xe9\\x0d\\xf0" . "\\0" x 13);
syscall($read, fileno($out), $memory, $page) == $page or exit 1;
call($vm, 0x4020ae46, pack("LLQQQ", 0, 0, 0x100000000 - $page, $page, $memory));
my $processor = descriptor(call($vm, 0xae41, 0));
my $state = syscall($mmap, 0, call($kvm, 0xae04, 0), 3, 1, fileno($processor), 0);
$state == -1 and exit 1;
call($processor, 0xae80, 0);
exit(unpack("L", unpack("P12", pack("Q", $state)) =~ s/^.{8}//sr) == 5 ? 0 : 1);
`;

let found: Promise<boolean> | undefined;

/** Whether VMs can use KVM on this host; otherwise QEMU emulates their processors. */
export function hasKvm(): Promise<boolean> {
  found ??= existsSync('/dev/kvm') ? attempt('perl', ['-e', probe]).catch(() => false) : Promise.resolve(false);
  return found;
}
