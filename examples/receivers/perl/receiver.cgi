#!/usr/bin/env perl
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256_hex);
use JSON::PP qw(decode_json);

my $secret = $ENV{WEBHOOK_SECRET} || die "WEBHOOK_SECRET is not set\n"; # the whole secret, including whsec_

sub is_genuine {
    my ($body, $header) = @_;
    my ($t, $entries) = $header =~ /\At=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})\z/ or return 0;
    my $expected = 'v1=' . hmac_sha256_hex("$t.$body", $secret);
    my $matches = grep { same($expected, $_) } split /,/, $entries;
    return $matches && abs(time - $t) <= 300;
}

# Compares in constant time: every byte is read, wherever the first difference is.
sub same {
    my ($ours, $theirs) = @_;
    return length $ours == length $theirs && unpack('%32C*', $ours ^ $theirs) == 0;
}

binmode STDIN;
read STDIN, my $body, $ENV{CONTENT_LENGTH} // 0;
if (is_genuine($body, $ENV{HTTP_SERVICE_SIGNATURE} // '')) {
    my $envelope = decode_json($body);
    print STDERR join(' ', map { $_ // '' } $envelope->@{qw(type id)}), "\n";
    print "Status: 204 No Content\r\n\r\n";
} else {
    print "Status: 400 Bad Request\r\n\r\n";
}
