# SPDX-License-Identifier: BSD-3-Clause
# What test/packages/check does with a bare Debian. Source it; $top is the source tree, $archive the release archive.

in_root() {
    "$top/scripts/debian-root" run "$@"
}

# As an ordinary user. Where /sys is not mounted, hwloc would say so.
as_visitor() {
    local root=$1
    shift
    in_root "$root" runuser -u visitor -- env -i HOME=/home/visitor PATH=/usr/bin:/bin HWLOC_HIDE_ERRORS=2 "$@"
}

# apt needs the network.
apt_in() {
    local root=$1
    shift
    chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends "$@"
}

# bare_debian ROOT SUITE PACKAGE...: makes it once, and makes it again as it was when it was made.
bare_debian() {
    local root=$1
    if [ ! -e "$root.tar" ]; then
        "$top/scripts/debian-root" make "$@" || return
        chroot "$root" useradd --create-home visitor || return
        apt_in "$root" clean
        mkdir -p "$root$top"
        tar -C "$root" -cf "$root.tar" .
    else
        rm -rf "$root"
        mkdir -p "$root" && tar -C "$root" -xf "$root.tar" && mkdir -p "$root$top"
    fi
}

build_dependencies() {
    sed -n '/^Build-Depends:/,/^[^ B]/s/^ \([a-z0-9.+-]*\).*/\1/p' "$top/packaging/debian/control"
}

build_debs() {
    local root=$1 debs=$2
    rm -rf "$debs" "$debs.made"
    in_root "$root" "$top/scripts/make-debs" "$debs.made" "$archive" >"$debs.log" 2>&1 ||
        { tail -n 20 "$debs.log"; return 1; }
    mv "$debs.made" "$debs"
}

no_complaint_of_lintian() {
    local root=$1 debs=$2
    apt_in "$root" install lintian >"$debs.lintian" 2>&1 || { tail "$debs.lintian"; return 1; }
    in_root "$root" lintian --allow-root --info --fail-on error,warning "$debs"/*.changes
}

# depends_on_release DEBS RELEASE
depends_on_release() {
    local depends
    depends=$(dpkg-deb --field "$1"/openmpi-coll-topo_*.deb Depends)
    [[ $depends =~ libopenmpi[0-9]+\ \(\>=\ $2\),\ libopenmpi[0-9]+\ \(\<\<\ ${2%.*}.$((${2##*.} + 1))~\) ]] || { echo "$depends"; return 1; }
}

tools_stand_alone() {
    ! dpkg-deb --field "$1"/coll-topo_*.deb Depends | grep openmpi-coll-topo
}

# compile_plain BUILD-ROOT USE-ROOT
compile_plain() {
    local host
    host=$(hostname)
    in_root "$1" mpicc -O2 "$top/test/packages/plain.c" -o /tmp/plain && cp "$1/tmp/plain" "$2/home/visitor/plain" &&
        echo "TorusName=pair Dims=2 Nodes=${host%%.*},elsewhere Bandwidth=1GB/s Latency=1us" >"$2/home/visitor/cluster.conf"
}

# served ROOT CALLS OPTIONS-OF-MPIRUN...: a job prints nothing but the line of the program. Set $variables and $launcher
# to run it otherwise.
variables=
launcher='mpirun "$@"'
served() {
    local root=$1 calls=$2 said
    shift 2
    said=$(as_visitor "$root" $variables bash -c "$launcher" mpirun --oversubscribe -n 4 "$@" /home/visitor/plain 2>&1 | tr -d '\0')
    [ "$said" = "4 ranks, 0 wrong, $calls of 10 calls by coll_topo" ] || { echo "$said"; return 1; }
}

# install_debs ROOT DEBS PACKAGE
install_debs() {
    rm -rf "$1/debs"
    mkdir "$1/debs" && cp "$2/$3"_*.deb "$1/debs" || return
    chroot "$1" sh -c 'cd /debs && DEBIAN_FRONTEND=noninteractive exec apt-get install -q -y --no-install-recommends ./*.deb' &&
        apt_in "$1" clean && rm -r "$1/debs"
}

remove_debs() {
    apt_in "$1" purge openmpi-coll-topo coll-topo && apt_in "$1" autoremove --purge
}

doctor() {
    as_visitor "$1" coll-topo doctor -- mpirun --oversubscribe -n 2 --mca coll_topo_topology_file /home/visitor/cluster.conf
}

has_texts() {
    local file
    for file in /usr/share/man/man1/coll-topo.1.gz /usr/share/man/man1/coll-topo-bench.1.gz \
        /usr/share/man/man1/coll-topo-measure.1.gz /usr/share/man/man5/coll-topo.conf.5.gz \
        /usr/share/man/man5/coll-topo-rules.conf.5.gz /usr/share/man/man7/coll-topo.7.gz \
        /usr/share/coll-topo/topologies/torus-4x4.conf /usr/share/coll-topo/coll-topo-plan.schema.json \
        /usr/share/doc/coll-topo/changelog.gz /usr/share/doc/openmpi-coll-topo/copyright; do
        [ -s "$1$file" ] || { echo "$file is missing"; return 1; }
    done
}

# Names, kinds and sizes of all files but what apt, dpkg and rpm keep for themselves. (In Fedora, the directory of
# licences belongs to another package.)
files_of() {
    (cd "$1" && find . \( -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt -o -path ./proc -o -path ./dev \
        -o -path ./tmp -o -path "./${top#/}" \) -prune -o -path './var/lib/dpkg/*-old' -o \
        -path './var/lib/dpkg/status' -o -path './var/lib/dpkg/diversions' -o -path ./etc/ld.so.cache -o \
        -path './root/.rpmdb*' -o -path ./usr/share/licenses -o \
        ! -type d -printf '%p %y %s\n' -o -type d -printf '%p %y\n' | sort)
}

component_of() {
    dpkg-deb --fsys-tarfile "$1"/openmpi-coll-topo_*.deb | tar -xO --wildcards '*/mca_coll_topo.so'
}

put_component_at_home() {
    local components=$1/home/visitor/.openmpi/components
    mkdir -p "$components" && component_of "$2" >"$components/mca_coll_topo.so"
}

# What mpirun of Debian 13 needs then, README says, and coll-topo doctor.
served_at_home() {
    variables=PMIX_MCA_mca_base_param_files=/dev/null \
        served "$1" 10 --mca coll_topo_topology_file /home/visitor/cluster.conf
}

doctor_at_home() {
    local said
    said=$(doctor "$1")
    case $2 in
        4.*) grep -q 'Nothing is wrong' <<<"$said" ;;
        *) grep -q 'type: .*export PMIX_MCA_mca_base_param_files=/dev/null' <<<"$said" ;;
    esac || { echo "$said"; return 1; }
}

# install_with_modulefile BUILD-ROOT USE-ROOT DEBS
install_with_modulefile() {
    local directory=$1/tmp/modulefile prefix=/opt/coll_topo
    apt_in "$2" install environment-modules &&
        in_root "$1" bash -c "mkdir -p /tmp/modulefile && cd /tmp/modulefile &&
            $top/configure --quiet --prefix=$prefix --with-mca-dir=$prefix/openmpi &&
            make -s DESTDIR=/tmp/modulefile/root install-nodist_modulefilesDATA install-nodist_pkgdataDATA" &&
        ! grep -r @ "$directory/root" &&
        cp -r "$directory/root/opt/coll_topo" "$2/opt" && mkdir "$2$prefix/openmpi" &&
        component_of "$3" >"$2$prefix/openmpi/mca_coll_topo.so"
}

served_with_modulefile() {
    launcher='. /usr/share/modules/init/bash; module use /opt/coll_topo/share/coll-topo/modulefiles; module load coll_topo;'
    launcher+=' mpirun "$@"'
    served "$1" 10 --mca coll_topo_topology_file /home/visitor/cluster.conf
}

build_rpms() {
    local root=$1 rpms=$2
    rm -rf "$rpms" "$rpms.made"
    apt_in "$root" install rpm >"$rpms.log" 2>&1 &&
        in_root "$root" "$top/scripts/make-rpms" "$rpms.made" "$archive" >>"$rpms.log" 2>&1 ||
        { tail -n 20 "$rpms.log"; return 1; }
    mv "$rpms.made" "$rpms"
}

no_complaint_of_rpmlint() {
    apt_in "$1" install rpmlint >/dev/null 2>&1 || return
    in_root "$1" rpmlint --strict --rpmlintrc "$top/packaging/rpm/coll-topo.rpmlintrc" "$2"/*.spec "$2"/*.rpm
}

rpm_depends_on_release() {
    in_root "$1" sh -c "rpm --query --requires --package $2/openmpi-coll-topo-[0-9]*.x86_64.rpm" | tee /dev/stderr | grep -qx "openmpi = $3"
}

install_rpms() {
    local status
    mkdir "$1/rpms" && cp "$2"/*.x86_64.rpm "$1/rpms" && rm -f "$1"/rpms/*debug* || return
    in_root "$1" sh -c 'rpm --install --nodeps /rpms/*.rpm'
    status=$?
    rm -r "$1/rpms"
    return $status
}
